import { globSync, readFileSync } from 'node:fs'
import { defineConfig } from 'vitest/config'

const include = ['src/**/*.test.ts', 'test/**/*.test.ts']
const replacing = globSync(include).filter((file) =>
  readFileSync(file, 'utf8').includes('vi.mock('),
)

export default defineConfig({
  test: {
    testTimeout: 60_000,
    // Much of it waits: one worker less than cores, as usual, would be one on two of them.
    maxWorkers: '100%',
    projects: [
      // A worker keeps what it has loaded: to load it anew for each file is a third of the work.
      { extends: true, test: { name: 'unit', include, exclude: replacing, isolate: false } },
      // A module that is replaced would stay so for the files after it.
      { extends: true, test: { name: 'replacing', include: replacing } },
    ],
  },
})
