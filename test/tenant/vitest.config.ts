// What tenants and sites make, judged by the programs that it is made for.
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/tenant/*.suite.ts'],
    globalSetup: ['test/tenant/setup.ts'],
    fileParallelism: false,
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
})
