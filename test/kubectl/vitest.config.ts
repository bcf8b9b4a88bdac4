import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/kubectl/*.suite.ts'],
    globalSetup: ['test/kubectl/setup.ts'],
    testTimeout: 180_000,
  },
})
