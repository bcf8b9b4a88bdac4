// From MetalLB to Berth and back on a cluster of its own, with stand-ins for MetalLB's programs.
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/migrate/*.suite.ts'],
    globalSetup: ['test/migrate/setup.ts'],
    fileParallelism: false,
    // A walk that is killed again and again takes as long as the machine takes for its longest step.
    testTimeout: 900_000,
    hookTimeout: 180_000,
  },
})
