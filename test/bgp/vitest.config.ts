// BGP with real routers: FRR and BIRD in the namespaces of a lab, and what they have in their tables.
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/bgp/**/*.suite.ts'],
    globalSetup: ['test/bgp/setup.ts'],
    // Each has a lab of its own, and hold times of three seconds.
    fileParallelism: false,
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
})
