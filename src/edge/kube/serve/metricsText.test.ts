import { expect, test } from 'vitest'
import { metricsText } from './metricsText.ts'

const metric = { name: 'm', help: 'h', type: 'gauge', samples: [{ value: 1 }] } as const

test.each([
  { what: 'plain', given: {}, text: '# HELP m h\n# TYPE m gauge\nm 1\n' },
  { what: 'no samples', given: { samples: [] }, text: '' },
  { what: 'a counter', given: { type: 'counter' }, text: '# HELP m h\n# TYPE m counter\nm 1\n' },
  {
    what: 'help that needs escaping',
    given: { help: 'a\\b\nc' },
    text: '# HELP m a\\\\b\\nc\n# TYPE m gauge\nm 1\n',
  },
  {
    what: 'labels that need escaping',
    given: { samples: [{ labels: { a: 'x"y', b: '\\\n' }, value: 0.5 }] },
    text: '# HELP m h\n# TYPE m gauge\nm{a="x\\"y",b="\\\\\\n"} 0.5\n',
  },
] as const)('$what', ({ given, text }) => {
  expect(metricsText([{ ...metric, ...given }])).toBe(text)
})
