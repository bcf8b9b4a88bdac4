// Attempts on whole programs: what an attacker can do with what is shipped, and how much it stands.
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/security/*.suite.ts'],
    globalSetup: ['test/security/setup.ts'],
    // Each starts programs, and measures some of them.
    fileParallelism: false,
    testTimeout: 180_000,
    hookTimeout: 180_000,
  },
})
