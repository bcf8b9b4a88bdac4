import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/readme/*.suite.ts'],
    globalSetup: ['test/readme/setup.ts'],
    fileParallelism: false,
    testTimeout: 180_000,
    hookTimeout: 180_000,
  },
})
