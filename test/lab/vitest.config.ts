// The lab as a user runs it: real namespaces, real speakers, and the tools that networks are
// looked at with.
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/lab/*.suite.ts'],
    globalSetup: ['test/lab/setup.ts'],
    // Most of them share one lab, and each breaks something in it.
    fileParallelism: false,
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
})
