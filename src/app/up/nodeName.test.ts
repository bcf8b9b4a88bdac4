import { expect, test } from 'vitest'
import { nodeName } from './nodeName.ts'

test.each([
  ['Metal-1.example.com', 'metal-1.example.com'],
  ['my_laptop', 'my-laptop'],
  ['-.odd..name.-', 'odd.name'],
  [`${'a'.repeat(62)}-b`, 'a'.repeat(62)],
  ['___', 'node'],
])('host %s becomes Node %s', (text, name) => {
  expect(nodeName(text)).toBe(name)
})
