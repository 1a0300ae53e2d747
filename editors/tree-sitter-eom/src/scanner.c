// Line ends, brackets and numbers of eom.
//
// A statement ends with its line, unless a bracket is open, or the line ends with an operator, a comma or a colon, or a word of
// `if ... then ... else` stands at the line's end or at the beginning of the next. A line that can only be the start of a statement begins
// one all the same, so that a forgotten bracket costs one statement and not the rest of the file. What stands before a line end the parser
// knows; what comes behind it is looked at here.

#include "tree_sitter/alloc.h"
#include "tree_sitter/parser.h"

#include <string.h>
#include <wctype.h>

enum Token { END, CONTINUED, LISTED, INSIDE, NUMBER, OPEN_PAREN, CLOSE_PAREN, OPEN_BRACKET, CLOSE_BRACKET };

/// How many brackets are open, which is all that there is to remember.
typedef struct {
  uint16_t depth;
} Scanner;

static const char *const RESERVED[] = {"if", "then", "else", "and", "or", "not", NULL};

static const char *const STATEMENTS[] = {
    "model",     "param",    "coord",       "state",  "rate",  "input",  "function",   "let",        "frame",     "point",  "particle",
    "body",      "group",    "gravity",     "force",  "torque",     "generalized", "nonideal", "kinetic", "potential",
    "dissipation", "spring", "damper",      "speed",  "motion", "roll", "constraint", "reaction",  "privileged", "assume",
    "initial",   "output",    "event",    "drawing",     "part",   "needs",      "const",      "for",       "use",    NULL};

static bool among(const char *word, const char *const *all) {
  for (; *all; all++) {
    if (strcmp(word, *all) == 0) return true;
  }
  return false;
}

static bool ends_line(int32_t c) { return c == '\n' || c == '\r'; }

static bool is_blank(int32_t c) {
  return c == ' ' || c == '\t' || c == '\f' || c == '\v' || c == 0x85 || c == 0xa0 || c == 0x1680 || (c >= 0x2000 && c <= 0x200a) ||
         c == 0x2028 || c == 0x2029 || c == 0x202f || c == 0x205f || c == 0x3000 || c == 0xfeff;
}

static bool is_digit(int32_t c) { return c >= '0' && c <= '9'; }

static bool begins_name(int32_t c) { return c == '_' || (c < 128 ? (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') : iswalpha(c)); }

static bool continues_name(int32_t c) { return is_digit(c) || begins_name(c) || (c >= 0x300 && c <= 0x36f); }

static void advance(TSLexer *lexer) { lexer->advance(lexer, false); }

static void blanks(TSLexer *lexer) {
  while (is_blank(lexer->lookahead)) advance(lexer);
}

/// The word that comes next, or an empty one; of one that is too long for a keyword the beginning.
static void word(TSLexer *lexer, char *into, unsigned size) {
  unsigned length = 0;
  if (begins_name(lexer->lookahead)) {
    while (continues_name(lexer->lookahead)) {
      if (length + 1 < size) into[length++] = lexer->lookahead < 128 ? (char)lexer->lookahead : '?';
      advance(lexer);
    }
  }
  into[length] = 0;
}

/// Passes what stands between a line end and the next word or sign: further line ends, and comments. False at an operator `/`.
static bool gap(TSLexer *lexer) {
  for (;;) {
    while (is_blank(lexer->lookahead) || ends_line(lexer->lookahead)) advance(lexer);
    if (lexer->lookahead != '/') return true;
    advance(lexer);
    if (lexer->lookahead != '/') return false;
    while (!ends_line(lexer->lookahead) && !lexer->eof(lexer)) advance(lexer);
  }
}

static bool line_end(Scanner *scanner, TSLexer *lexer, const bool *valid) {
  while (is_blank(lexer->lookahead) || ends_line(lexer->lookahead)) advance(lexer);
  lexer->mark_end(lexer);
  bool inside = scanner->depth > 0;
  bool list = !inside && valid[LISTED] && !valid[CONTINUED];
  char first[16] = "", second[16] = "";
  bool begins = false;
  if (gap(lexer)) {
    word(lexer, first, sizeof first);
    bool reserved = among(first, RESERVED);
    if (reserved && strcmp(first, "if") != 0) {
      lexer->result_symbol = INSIDE;
      return true;
    }
    if (first[0] && !reserved) {
      blanks(lexer);
      bool colon = lexer->lookahead == ':';
      word(lexer, second, sizeof second);
      bool two = second[0] && !among(second, RESERVED);
      if (two && !list) {
        begins = true;
      } else if (strcmp(first, "gravity") == 0) {
        begins = colon;
      } else if (strcmp(first, "frame") == 0) {
        blanks(lexer);
        if (two && lexer->lookahead == '=') {
          advance(lexer);
          begins = lexer->lookahead != '=';
        }
      } else {
        begins = two && among(first, STATEMENTS);
      }
    }
  }
  if (begins) {
    scanner->depth = 0;
    lexer->result_symbol = END;
  } else if (inside) {
    lexer->result_symbol = INSIDE;
  } else if (valid[CONTINUED] && !valid[END]) {
    lexer->result_symbol = CONTINUED;
  } else if (valid[LISTED] && !valid[END]) {
    lexer->result_symbol = LISTED;
  } else {
    lexer->result_symbol = END;
  }
  return true;
}

/// `1`, `1.5`, `.5`, `1e-3`; none if it runs on without a gap.
static bool number(TSLexer *lexer) {
  lexer->result_symbol = NUMBER;
  bool digits = is_digit(lexer->lookahead);
  while (is_digit(lexer->lookahead)) advance(lexer);
  if (digits) lexer->mark_end(lexer);
  if (lexer->lookahead == '.') {
    advance(lexer);
    // `1..n`, and what no digit follows.
    if (!is_digit(lexer->lookahead)) return digits;
    while (is_digit(lexer->lookahead)) advance(lexer);
    lexer->mark_end(lexer);
  }
  if (lexer->lookahead == 'e' || lexer->lookahead == 'E') {
    advance(lexer);
    if (lexer->lookahead == '+' || lexer->lookahead == '-') advance(lexer);
    if (!is_digit(lexer->lookahead)) return false;
    while (is_digit(lexer->lookahead)) advance(lexer);
    lexer->mark_end(lexer);
  }
  if (continues_name(lexer->lookahead)) return false;
  if (lexer->lookahead == '.') {
    advance(lexer);
    return !is_digit(lexer->lookahead);
  }
  return true;
}

static bool bracket(Scanner *scanner, TSLexer *lexer, enum Token token, bool opens) {
  advance(lexer);
  lexer->mark_end(lexer);
  lexer->result_symbol = token;
  if (opens) {
    if (scanner->depth < UINT16_MAX) scanner->depth++;
  } else if (scanner->depth > 0) {
    scanner->depth--;
  }
  return true;
}

void *tree_sitter_eom_external_scanner_create(void) { return ts_calloc(1, sizeof(Scanner)); }

void tree_sitter_eom_external_scanner_destroy(void *payload) { ts_free(payload); }

unsigned tree_sitter_eom_external_scanner_serialize(void *payload, char *buffer) {
  memcpy(buffer, payload, sizeof(Scanner));
  return sizeof(Scanner);
}

void tree_sitter_eom_external_scanner_deserialize(void *payload, const char *buffer, unsigned length) {
  Scanner *scanner = payload;
  scanner->depth = 0;
  if (length == sizeof(Scanner)) memcpy(scanner, buffer, length);
}

bool tree_sitter_eom_external_scanner_scan(void *payload, TSLexer *lexer, const bool *valid) {
  Scanner *scanner = payload;
  while (is_blank(lexer->lookahead)) lexer->advance(lexer, true);
  int32_t c = lexer->lookahead;
  if (ends_line(c)) return line_end(scanner, lexer, valid);
  if (c == '(' && valid[OPEN_PAREN]) return bracket(scanner, lexer, OPEN_PAREN, true);
  if (c == ')' && valid[CLOSE_PAREN]) return bracket(scanner, lexer, CLOSE_PAREN, false);
  if (c == '[' && valid[OPEN_BRACKET]) return bracket(scanner, lexer, OPEN_BRACKET, true);
  if (c == ']' && valid[CLOSE_BRACKET]) return bracket(scanner, lexer, CLOSE_BRACKET, false);
  if (valid[NUMBER] && (is_digit(c) || c == '.')) return number(lexer);
  return false;
}
