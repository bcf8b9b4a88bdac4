// What `make release` writes, made once and used as its users do.
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/release/*.suite.ts'],
    globalSetup: ['test/release/setup.ts'],
    fileParallelism: false,
    testTimeout: 120_000,
    hookTimeout: 300_000,
  },
})
