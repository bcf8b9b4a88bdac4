import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    // None takes more than a few seconds, but the machine may have other work, much of it.
    testTimeout: 180_000,
    hookTimeout: 60_000,
    // Much of it waits: one worker less than cores, as usual, would be one on two of them.
    maxWorkers: '100%',
    // A worker keeps what it has loaded: to load it anew for each file is a third of the work.
    isolate: false,
  },
})
