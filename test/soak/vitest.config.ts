import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/soak/*.soak.ts'],
    globalSetup: ['test/soak/setup.ts'],
    // What one takes would be missing in the figures of the other.
    fileParallelism: false,
    testTimeout: 24 * 60 * 60 * 1000,
    hookTimeout: 60_000,
  },
})
