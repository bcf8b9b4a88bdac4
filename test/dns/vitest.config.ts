// Names that are asked for: real dnsmasq as `berth up` runs it, real dig.
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/dns/*.suite.ts'],
    globalSetup: ['test/dns/setup.ts'],
    fileParallelism: false,
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
})
