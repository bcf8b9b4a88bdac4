// Programs of others on `berth up`: two client libraries and kubectl.
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/clients/*.suite.ts'],
    globalSetup: ['test/clients/setup.ts'],
    // Each suite has namespaces of its own; what belongs to no namespace has names of its own.
    maxWorkers: 2,
    testTimeout: 180_000,
    hookTimeout: 180_000,
  },
})
