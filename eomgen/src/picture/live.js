
// Sliders: a change asks the server for the motion with these values.
{
  const panel = document.createElement("details"), summary = document.createElement("summary"), query = new URLSearchParams(location.search);
  panel.id = "sliders"; panel.open = window.innerWidth > 800; summary.textContent = "Parameters and start"; panel.append(summary);
  for (const s of data.sliders) {
    const label = document.createElement("label"), range = document.createElement("input"), number = document.createElement("input"), key = s.kind + "." + s.name;
    const size = Math.abs(s.value) || 1;
    range.type = "range"; range.min = s.kind === "p" && s.value > 0 ? 0 : s.value - 2 * size; range.max = s.value + 2 * size; range.step = size / 100; range.value = s.value;
    number.type = "number"; number.step = "any"; number.value = Number(s.value.toPrecision(6)); number.style.width = "8em";
    label.style.cssText = "display: inline-flex; gap: .4rem; align-items: center; margin: .15rem .9rem .15rem 0;";
    label.append(s.unit ? `${s.name} [${s.unit}]` : s.name, range, number);
    const send = value => { query.set(key, value); location.search = query.toString(); };
    range.addEventListener("input", () => { number.value = Number(range.value).toPrecision(4); });
    range.addEventListener("change", () => send(range.value));
    number.addEventListener("change", () => send(number.value));
    panel.append(label);
  }
  const back = document.createElement("button"); back.textContent = "as in the model"; back.addEventListener("click", () => { location.search = ""; }); panel.append(back);
  document.querySelector("main").after(panel);
}
