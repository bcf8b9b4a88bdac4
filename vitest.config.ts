import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    exclude: ['node_modules/**'],
    testTimeout: 60_000,
    // Much of it waits: one worker less than cores, as usual, would be one on two of them.
    maxWorkers: '100%',
  },
})
