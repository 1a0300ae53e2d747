/**
 * @file Models of machines, as eomgen reads them.
 * @license MIT OR Apache-2.0
 */

/// <reference types="tree-sitter-cli/dsl" />
// @ts-check

/** From loosest to tightest. */
const STRENGTH = {
  or: 1, and: 2, not: 3, compare: 4, sum: 5, product: 6, sign: 7, power: 8, postfix: 9,
};

/** One or more, with commas between them. */
function list($, rule) {
  return seq(rule, repeat(seq($._comma, rule)));
}

/** A sign or a word behind which the statement goes on in the next line. */
function open($, sign) {
  return seq(sign, repeat($._continued));
}

/** What has two operands, from the left. */
function binary($, strength, operator, operand) {
  return prec.left(strength, seq(
    field('left', operand), field('operator', operator), repeat($._continued), field('right', operand),
  ));
}

module.exports = grammar({
  name: 'eom',

  // Line ends mean something or not by what stands around them: see src/scanner.c.
  externals: $ => [
    $._end, // of a statement
    $._continued, // behind an operator
    $._listed, // behind a comma or a colon
    $._inside, // of no meaning
    $.number,
    '(', ')', '[', ']',
  ],

  extras: $ => [
    /[ \t\f\v\u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]/,
    $._inside,
    $.comment,
    $.documentation,
    $.file_documentation,
  ],

  word: $ => $.identifier,

  reserved: { global: _ => ['if', 'then', 'else', 'and', 'or', 'not'] },

  supertypes: $ => [$._statement, $._expression],

  inline: $ => [$._comma, $._colon, $._operand],

  conflicts: $ => [
    [$._word, $.sum],
    [$._word, $.rate],
    [$._reference_index, $.index_expression],
    [$._reference_field, $._path_field],
    [$._reference, $._operand_name],
    [$.line],
  ],

  rules: {
    source_file: $ => $._statements,

    // The last statement of a file or of a block needs no line end.
    _statements: $ => choice(
      repeat1($._whole),
      seq(repeat($._whole), $._statement),
    ),

    _whole: $ => choice($._end, seq($._statement, $._end), $.for_statement),

    _statement: $ => choice(
      $.model_statement, $.part_statement, $.const_statement, $.use_statement, $.needs_statement,
      $.param_statement, $.coord_statement, $.state_statement, $.input_statement, $.function_statement,
      $.let_statement, $.frame_statement, $.point_statement, $.energy_statement, $.output_statement,
      $.speed_statement, $.motion_statement, $.roll_statement, $.rate_statement, $.particle_statement, $.body_statement, $.group_statement,
      $.gravity_statement, $.load_statement, $.generalized_statement, $.nonideal_statement,
      $.spring_statement, $.constraint_statement, $.reaction_statement, $.privileged_statement,
      $.assume_statement, $.initial_statement, $.event_statement, $.drawing_statement,
    ),

    model_statement: $ => seq('model', field('name', $.identifier)),
    part_statement: $ => seq('part', field('name', $.identifier)),
    const_statement: $ => seq('const', list($, $.const_declaration)),
    const_declaration: $ => seq(field('name', $._element), optional(seq(open($, '='), field('value', $._expression)))),

    for_statement: $ => seq(
      'for', field('variable', $.identifier), 'in',
      field('from', $._expression), open($, '..'), field('to', $._expression),
      field('body', $.block),
    ),
    block: $ => seq('{', optional($._statements), '}'),

    use_statement: $ => seq(
      'use', field('path', $.string), 'as', field('name', $._element),
      optional(seq('(', optional(seq(list($, $.argument), optional($._comma))), ')')),
    ),
    argument: $ => seq(field('name', $.identifier), open($, '='), field('value', $._expression)),

    needs_statement: $ => seq(
      'needs', field('kind', choice('point', 'frame', 'scalar', 'vector')), list($, $._need),
    ),

    _need: $ => seq(field('name', $._element), optional(seq(open($, '='), field('value', $._expression)))),

    param_statement: $ => seq('param', $._quantities, optional($._unit_of), optional($._sign_of)),
    coord_statement: $ => seq('coord', $._quantities, optional($._unit_of), optional($._sign_of)),
    state_statement: $ => seq('state', $._quantities, optional($._unit_of), optional($._sign_of)),
    input_statement: $ => seq('input', $._quantities, optional($._unit_of)),
    _quantities: $ => list($, $.quantity),
    quantity: $ => seq(
      field('name', $._element),
      optional(seq('as', field('shown', alias($.written, $.string)))),
      optional(seq(open($, '='), field('value', $._expression))),
    ),
    _unit_of: $ => seq($._colon, field('unit', $.unit)),
    _sign_of: $ => seq(
      field('relation', choice('<', '<=', '>', '>=', '!=')), repeat($._continued), field('bound', $._expression),
    ),

    function_statement: $ => seq('function', list($, $.signature), optional($._unit_of)),
    signature: $ => seq(field('name', $._element), '(', optional(list($, $.reference)), ')'),

    let_statement: $ => seq('let', $._definition),
    frame_statement: $ => seq('frame', $._definition),
    point_statement: $ => seq('point', $._definition),
    energy_statement: $ => seq(choice('kinetic', 'potential', 'dissipation'), $._definition),
    output_statement: $ => seq('output', $._definition),
    _definition: $ => seq(field('name', $._element), open($, '='), field('value', $._expression)),

    speed_statement: $ => seq('speed', choice(
      $._definition,
      seq(
        field('name', $._element), $._comma, field('name', $._element), $._comma, field('name', $._element),
        open($, '='), field('value', $._expression), 'in', field('frame', $.reference),
      ),
    )),
    motion_statement: $ => seq('motion', field('coordinate', $.reference), open($, '='), field('value', $._expression)),
    roll_statement: $ => seq(
      'roll', field('body', $.reference), 'on', choice('plane', field('ground', $.reference)),
      optional(seq('at', field('at', $.location))),
      repeat(seq($._comma, $.contact)),
    ),
    contact: $ => seq(field('word', choice('radius', 'axis', 'tube', 'normal', 'through')), field('value', $._expression)),
    rate_statement: $ => seq(
      choice(seq('rate', field('state', $.reference)), seq(field('state', $.reference), '\x27')),
      open($, '='), field('value', $._expression),
    ),

    particle_statement: $ => seq(
      'particle', field('name', $._element), $._colon, 'mass', field('mass', $._expression), 'at', field('at', $.location),
    ),
    body_statement: $ => seq('body', field('name', $._element), $._colon, list($, $._body_clause)),
    _body_clause: $ => choice($.frame_clause, $.mass_clause, $.center_clause, $.inertia_clause),
    frame_clause: $ => seq('frame', $.location),
    mass_clause: $ => seq('mass', $._expression),
    center_clause: $ => seq(choice('center', 'centre'), $.location),
    inertia_clause: $ => seq(
      'inertia', choice($._expression, $.entries),
      optional(choice(
        seq($._about, optional($._in)),
        seq($._in, optional($._about)),
      )),
    ),
    entries: $ => prec(2, seq('[', list($, $._expression), ']')),
    _about: $ => seq('about', field('about', $.location)),
    _in: $ => seq('in', field('frame', $.location)),
    group_statement: $ => seq('group', field('name', $._element), $._colon, list($, field('member', $.reference))),

    gravity_statement: $ => seq('gravity', $._colon, field('value', $._expression)),
    load_statement: $ => seq(choice('force', 'torque'), $._load),
    generalized_statement: $ => seq('generalized', $._generalized),
    nonideal_statement: $ => seq('nonideal', choice(
      seq(optional(choice('force', 'torque')), $._load),
      seq('generalized', $._generalized),
    )),
    _load: $ => seq('on', field('on', $.side), optional($._opposite), $._colon, field('value', $._expression)),
    _generalized: $ => seq(field('on', $.reference), $._colon, field('value', $._expression)),
    _opposite: $ => seq($._comma, 'opposite', 'on', field('opposite', $.side)),
    side: $ => seq($.location, optional(seq('at', field('at', $.location)))),

    spring_statement: $ => seq(
      choice('spring', 'damper'), field('name', $._element), $._colon,
      choice(
        seq('from', field('from', $.location), 'to', field('to', $.location)),
        seq('on', field('on', $._expression)),
      ),
      repeat(seq($._comma, $.property)),
    ),
    property: $ => seq(
      field('name', choice('stiffness', 'length', 'rest', 'damping', 'tension')), field('value', $._expression),
    ),

    constraint_statement: $ => seq(
      'constraint', field('name', $._element), $._colon,
      field('left', $._expression), open($, '='), field('right', $._expression),
      optional(seq('in', field('frame', $.location))),
    ),
    reaction_statement: $ => seq('reaction', field('name', $._element), choice(
      seq('at', field('at', $.reference), $._colon, field('along', $._expression)),
      seq(
        $._colon, field('kind', choice('force', 'torque')), 'on', field('on', $.side),
        'along', field('along', $._expression), optional($._opposite),
      ),
    )),
    privileged_statement: $ => seq('privileged', list($, $._expression)),
    initial_statement: $ => seq('initial', list($, $.initial_value)),
    initial_value: $ => seq(field('of', $._expression), '=', repeat($._continued), field('value', $._expression)),
    assume_statement: $ => seq(
      'assume', field('left', $._expression),
      field('relation', choice('<', '<=', '>', '>=', '!=', '==')), repeat($._continued), field('right', $._expression),
    ),

    event_statement: $ => seq(
      'event', field('name', $._element), $._colon, field('value', $._expression), optional(choice('rising', 'falling')),
    ),
    drawing_statement: $ => seq(
      'drawing', field('name', $._element), $._colon, field('shape', choice($.box, $.cylinder, $.sphere, $.line)),
      optional(seq($._comma, choice('color', 'colour'), field('color', $.identifier))),
    ),
    box: $ => seq('box', $.sizes, 'at', $.location, 'in', $.location),
    cylinder: $ => seq('cylinder', $.sizes, 'at', $.location, 'along', $._expression),
    sphere: $ => seq('sphere', $.sizes, 'at', $.location),
    line: $ => seq('line', 'through', list($, choice($.location, $._drawn_point))),
    // A point may have this name.
    _drawn_point: $ => alias($._color, $.location),
    _color: $ => alias(choice('color', 'colour'), $.identifier),
    sizes: $ => seq('[', list($, $._expression), ']'),

    _comma: $ => seq(',', repeat($._listed)),
    _colon: $ => seq(':', repeat($._listed)),

    // Names.
    _element: $ => choice($.identifier, $.element),
    element: $ => seq($.identifier, repeat1(seq('[', choice($._expression, $.range), ']'))),
    range: $ => seq(field('from', $._expression), open($, '..'), field('to', $._expression)),

    reference: $ => $._reference,
    _reference: $ => choice(
      $._word,
      alias($._reference_index, $.index_expression),
      alias($._reference_field, $.field_expression),
    ),
    _reference_index: $ => prec(STRENGTH.postfix, seq($._reference, '[', choice($._expression, $.range), ']')),
    _reference_field: $ => prec(STRENGTH.postfix, seq($._reference, '.', field('field', $.identifier))),

    // A point or frame, or what stands for one.
    location: $ => choice(
      $._reference,
      alias($._located_sum, $.binary_expression),
      $.call_expression,
      $.derivative, $.field_expression,
    ),
    _located_sum: $ => choice(
      binary($, STRENGTH.sum, choice('+', '-'), $._operand),
      binary($, STRENGTH.product, choice('*', '/'), $._operand),
      $._power,
    ),

    // Expressions.
    _expression: $ => choice(
      $.if_expression,
      $._operand,
    ),

    _operand: $ => choice(
      $._path,
      $.quantity_value,
      $._number,
      $.negation,
      $.binary_expression,
      $._postfix,
    ),
    _number: $ => $.number,
    quantity_value: $ => seq($.number, '[', field('unit', $.unit), ']'),

    if_expression: $ => prec.right(seq(
      open($, 'if'), field('condition', $._condition),
      open($, 'then'), field('then', $._expression),
      open($, 'else'), field('else', $._expression),
    )),

    _condition: $ => choice($.comparison, $.logical_expression, $.not_expression, $.parenthesized_condition),
    comparison: $ => prec.left(STRENGTH.compare, seq(
      field('left', $._operand), field('operator', choice('<', '<=', '>', '>=')), repeat($._continued),
      field('right', $._operand),
    )),
    logical_expression: $ => choice(
      binary($, STRENGTH.and, 'and', $._condition),
      binary($, STRENGTH.or, 'or', $._condition),
    ),
    not_expression: $ => prec(STRENGTH.not, seq(open($, 'not'), $._condition)),
    parenthesized_condition: $ => seq('(', $._condition, ')'),

    negation: $ => prec(STRENGTH.sign, seq(open($, '-'), $._operand)),
    binary_expression: $ => choice(
      binary($, STRENGTH.sum, choice('+', '-'), $._operand),
      binary($, STRENGTH.product, choice('*', '/'), $._operand),
      $._power,
    ),
    _power: $ => prec.right(STRENGTH.power, seq(
      field('left', $._operand), field('operator', '^'), repeat($._continued), field('right', $._operand),
    )),

    // Names with indices and further names, which may be called and may have an index.
    _path: $ => choice($._operand_name, $.index_expression, alias($._path_field, $.field_expression)),
    _path_field: $ => prec(STRENGTH.postfix, seq($._path, '.', field('field', $.identifier))),

    // What else may be followed by a point, which a number may not.
    _postfix: $ => choice(
      $.field_expression,
      $.call_expression,
      $.sum,
      $.parenthesized_expression,
      $.list,
      $.components,
      $.derivative,
    ),
    _operand_name: $ => $._word,
    _word: $ => choice($.identifier, alias(choice('sum', 'rate'), $.identifier)),
    parenthesized_expression: $ => seq('(', $._expression, ')'),
    list: $ => prec.right(seq('[', optional(list($, $._expression)), ']')),
    components: $ => prec.right(1, seq('[', list($, $._expression), ']', 'in', field('frame', $.reference))),
    derivative: $ => prec(STRENGTH.postfix, seq(choice($._path, $._postfix, $._number, $.quantity_value), '\'')),
    field_expression: $ => prec(STRENGTH.postfix, seq($._postfix, '.', field('field', $.identifier))),
    index_expression: $ => prec(STRENGTH.postfix, seq($._path, '[', field('index', $._expression), ']')),
    call_expression: $ => prec(STRENGTH.postfix, seq(
      field('function', $._path), '(', optional(list($, choice($._expression, $.rate))), ')',
    )),
    rate: $ => seq('rate', $._expression),
    sum: $ => seq(
      'sum', '(', field('variable', $.identifier), 'in', field('from', $._expression), open($, '..'),
      field('to', $._expression), $._comma, field('summand', $._expression), ')',
    ),

    // Units.
    unit: $ => $._unit,
    _unit: $ => choice(
      $._unit_power,
      prec.left(seq($._unit, choice('*', '/'), repeat($._continued), $._unit_power)),
    ),
    _unit_power: $ => seq(
      choice(alias($.identifier, $.unit_name), $.number, seq('(', $._unit, ')')),
      optional(seq(open($, '^'), $._exponent)),
    ),
    _exponent: $ => choice(
      seq(optional(open($, '-')), $.number),
      seq('(', optional('-'), $.number, optional(seq('/', $.number)), ')'),
    ),

    identifier: _ => /[_\p{XID_Start}]\p{XID_Continue}*/,
    string: _ => /"[^"\n\r]*"/,
    written: _ => /"\p{Alphabetic}[\p{Alphabetic}\p{N}_*\u0300-\u036f]*"/,
    comment: _ => /\/\/([^\/!\n\r][^\n\r]*)?|\/\/\/\/[^\n\r]*/,
    documentation: _ => /\/\/\/([^\/\n\r][^\n\r]*)?/,
    file_documentation: _ => /\/\/![^\n\r]*/,
  },
});
