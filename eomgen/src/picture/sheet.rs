//! A chart with the table of its numbers, as a page of its own.

use super::page::escaped;

const STYLE: &str =
    "body { margin: 2rem auto; max-width: 760px; font: 15px/1.45 system-ui, sans-serif; }
svg { width: 100%; height: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: 0.15rem 0.8rem; text-align: right; border-bottom: 1px solid #d5dde5; }
th { text-align: left; }";

/// The page as HTML; the first row of the table is its head.
pub fn sheet(title: &str, chart: &str, rows: &[Vec<String>]) -> String {
    let line = |row: &Vec<String>, tag: &str| {
        let cells = row
            .iter()
            .map(|cell| format!("<{tag}>{}</{tag}>", escaped(cell)));
        format!("<tr>{}</tr>\n", cells.collect::<String>())
    };
    let mut rows = rows.iter();
    let head = rows.next().map_or(String::new(), |row| line(row, "th"));
    let body: String = rows.map(|row| line(row, "td")).collect();
    let title = escaped(title);
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<!-- a linear model by eomgen -->\n<head>\n<meta charset=\"utf-8\">\n\
         <link rel=\"icon\" href=\"data:,\">\n<title>{title}</title>\n<style>\n{STYLE}\n</style>\n</head>\n<body>\n<h1>{title}</h1>\n\
         {chart}\n<table>\n<thead>\n{head}</thead>\n<tbody>\n{body}</tbody>\n</table>\n</body>\n</html>\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_a_model_are_text() {
        let rows = [vec!["a<b".to_owned()], vec!["1".to_owned()]];
        let page = sheet("x & y", "<svg></svg>", &rows);
        assert!(page.contains("<title>x &amp; y</title>"));
        assert!(page.contains("<th>a&lt;b</th>") && page.contains("<td>1</td>"));
        assert!(page.contains("<svg></svg>"));
    }
}
