import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/soak/*.soak.ts'],
    testTimeout: 24 * 60 * 60 * 1000,
  },
})
