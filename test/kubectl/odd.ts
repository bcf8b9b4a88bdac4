// Which texts may be read one way by one program and another way by the next?

export const head = 'apiVersion: example.dev/v1\nkind: Odd\nmetadata:\n  name: odd\n'
export type Texts = Readonly<Record<string, string | Uint8Array>>

const rows = (text: string): string[] => text.trim().split('\n')

/** Values that both read, one a row. */
export const values = [
  ...rows(String.raw`
2024-01-01
2024-01-01T00:00:00Z
2024-1-1 1:2:3
190:20:30
10.0.0.1
1:2
0
-0
-0.0
+5
017
08
00
0o17
-0o17
0O17
0x1F
0X1F
-0x1F
0x
0b101
0B11
-0b11
0b-101
0b+1
1_000
1__0
-_1
0x_1
0_8
1_000.5
1_0.5e3
1e3
1E3
1e+3
1.
.5
+.5
.5e3
._5
.
1e400
1e-400
1.5.2
9007199254740993
9223372036854775808
-9223372036854775808
-9223372036854775809
18446744073709551615
+18446744073709551615
18446744073709551616
99999999999999999999
0xFFFFFFFFFFFFFFFFF
07777777777777777777777777
inf
nan
y
Y
n
N
yes
No
ON
off
True
tRUE
oN
~
Null
nULL
=
<<
! 12
!foo 12
!!str 12
!!int "12"
!<tag:yaml.org,2002:int> "7"
!!float 1
!!bool no
!!null ""
!!timestamp 2024-01-01
!!set {a, b}
!!binary aGVsbG8=
!!map [a]
!!seq foo
!!omap [a: 1]
{80: x, true: x, no: z, 1.5: x}
{yes: x}
{1.20: z, 1e6: x, 1000000: y, 123456789.5: x, 1e-7: x, 0.1: x, .inf: a}
{08: x, 017: y}
{9007199254740993: x}
{2024-01-01: c}
{!!str 80: x}
{!!int "80": x}
{a: 1, ? b : 2}
{a: 1, <<: {a: 2}}
{<<: {a: 2}, a: 1}
{<<: [{a: 1}, {a: 2, b: 3}]}
{<<: {a: 1}, <<: {a: 2, b: 3}}
{"<<": {a: 2}}
{a: &x {b: 1}, c: {<<: *x, d: 2}}
{a: &x {b: 1}, c: {<<: [*x, {b: 2, e: 3}], d: 2}}
[&a x, *a]
[&a 1, &a 2, *a]
[&k key, {*k : v}]
[&x {a: &y [1]}, *x, *y]
'it''s'
"a\tb\x41\u00e9\n"
{a:1}
{"a":1}
[a: b, c]
[a,]
{a, b: 1,}
[a, [b, {c: d}]]
[]
{}
a #b
a#b
#a
-a
?a
:a
`),
  ...[
    '',
    'a\tb',
    '"a\tb"',
    '\u00e9\u{1f600}',
    '|\n    a\n     b\n\n',
    '|-\n    a\n',
    '|+\n    a\n\n',
  ],
  ...['|2\n      a\n', '|\n  a\n', '>\n    a\n    b\n\n    c\n', '>-\n    a\n      b\n    c\n'],
  ...['a\n    b\n\n    c', '"a\n    b\\\n    c"', "'a\n\n    b'", '\n  - a\n  - b'],
  ...['\n    - a\n    -\n    - - b\n      - c', '\n    ? a\n    : b'],
]

/** Values that both refuse. */
export const refusedValues = [
  ...rows(String.raw`
.inf
-.INF
.nan
!!int abc
!!bool 1
!!null foo
!!timestamp x
!!binary "a b"
!e!x y
{~: x}
{: x}
{18446744073709551615: x}
{? [a] : b}
{[a]: b}
{{ .Values.x }}
{<<: x}
{<<: [x]}
{a: &x [{b: 1}], c: {<<: *x}}
&a [*a]
*nowhere
[*a, &a 1]
"\q"
"a
[a, , b]
@x
%x
a: b
? a
- a
a:
&
*
`),
  '`x',
]

const typed = '"apiVersion": "example.dev/v1", "kind": "Odd", "metadata": {"name": "odd"}'
const jsonOf = (v: string): string => `{${typed}, "v": ${v}}`
const json = jsonOf('1')
const list = 'apiVersion: v1, kind: List'
const utf16 = (): Buffer => Buffer.from(`\ufeff${head}v: \u00e9\n`, 'utf16le')

export const files: Texts = {
  'comments and empty documents': `# a\n---\n${head}---\n--- # c\n\n---\n${head}v: 2\n---`,
  'no line end': `${head}v: |\n  a`,
  'line ends of Windows': `${head}v: |\n  a\n  b\n`.replaceAll('\n', '\r\n'),
  'line ends of old': `${head}v: a\n`.replaceAll('\n', '\r'),
  'a separator after a block': `${head}v: |\n  a\n---\n${head}`,
  'an indented separator in a block': `${head}v: |\n  ---\n  a\n`,
  'an end mark': `${head}...\n`,
  'UTF-8 with a mark': `\ufeff${head}v: 1\n`,
  'a mark in the middle': `${head}---\n\ufeff${head}`,
  'UTF-16 with a mark': utf16(),
  'UTF-16 with a mark, the other way round': utf16().swap16(),
  'a tab after a key': `${head}v:\ta\n`,
  'a tab at the end': `${head}v: a\t\nw: b\n`,
  'one JSON object': json,
  'JSON objects in a row': `${json}\n${json}${json}\n`,
  'JSON, indented by tabs': JSON.stringify(JSON.parse(json), null, '\t'),
  'JSON with separators': `${json}\n---\n${json}\n---\n${json}\n`,
  'JSON with escapes': jsonOf(String.raw`"\ud83d\ude00 \u003c \/ \"}{"`),
  'JSON with numbers': jsonOf('[1e2, 1.0, -0, 9007199254740993, 0.1e-3]'),
  'JSON with a comma too many, which is YAML': jsonOf('[1,]'),
  'a flow mapping with a brace in quotes': `{${typed}, v: '}'}`,
  'a List': `apiVersion: v1\nkind: List\nitems:\n- ${json}\n- ${json}\n`,
  'an empty List': 'apiVersion: v1\nkind: List\nitems: []\n',
  'items without a type': 'apiVersion: v1\nkind: PodList\nitems:\n- {metadata: {name: a}}\n',
  'nothing but null': 'null\n',
}

export const refusedFiles: Texts = {
  'text after a separator': `${head}--- v\n${head}`,
  'four dashes': `${head}----\n${head}`,
  'a directive': `%YAML 1.1\n---\n${head}`,
  'a null byte': `${head}v: a\0b\n`,
  'a control character': `${head}v: a\x01b\n`,
  'a delete character': `${head}v: a\x7fb\n`,
  'a tab before a list': `${head}v:\n\t- a\n`,
  'a tab in a block': `${head}v: |\n\ta\n`,
  'bad indentation': `${head}v:\n  a: 1\n b: 2\n`,
  'an unclosed list': `${head}v: [1, 2\n`,
  'JSON cut short': json.slice(0, -3),
  'a list, not an object': '- a\n',
  'text, not an object': 'a\n',
  'a number as apiVersion': 'apiVersion: 1\nkind: T\nmetadata: {name: a}\n',
  'nine levels of laughs': bomb(9),
}

function bomb(levels: number): string {
  const level = (n: number): string => `  l${n}: &l${n} [${`*l${n - 1}, `.repeat(10)}]\n`
  const rest = Array.from({ length: levels }, (_, n) => level(n + 1))
  return `${head}v:\n  l0: &l0 [lol]\n${rest.join('')}`
}

/** Read by kubectl and refused by us: a mistake that would stay hidden, or what js-yaml cannot. */
export const stricter: Texts = {
  'a key twice': `${head}v: 1\nv: 2\n`,
  'a key twice in JSON': jsonOf('1, "v": 2'),
  'a key twice, spelt differently': `${head}v: {yes: a, true: b}\n`,
  'bytes that are not UTF-8': Buffer.from(`${head}v: "\xff\xfe"\n`, 'latin1'),
  'text after the end of a document': `${head}...\nmore: 1\n`,
  'no apiVersion': 'kind: T\nmetadata: {name: a}\n',
  'a key whose colon kubectl takes for text': `${head}v: {a:}\n`,
  'a tab between a key and a flow list': `${head}v:\t[a]\n`,
  'a dash alone in a flow list': `${head}v: [-]\n`,
}

/** Refused by kubectl and read by us as YAML 1.2 or JSON has it. */
export const laxer: Texts = {
  'halves of a pair, escaped': `${head}v: "\\ud83d\\ude00"\n`,
  'an escaped slash': `${head}v: "\\/"\n`,
  'an address that begins with a colon, in a flow list': `${head}v: [::1]\n`,
  'a line separator in plain text': `${head}v: a\u2028b\n`,
  'a List in a List': `{${list}, items: [{${list}, items: [${json}]}]}`,
}
