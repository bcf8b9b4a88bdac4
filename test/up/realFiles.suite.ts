// Do lint, plan and explain say the same of real files, of `berth up` that holds what they say, and of
// its export?
import { test } from 'vitest'
import { answersTheSame, isHere, paths, whyNot } from '../real/answersTheSame.ts'
import { newData, startUp } from './berth.ts'

test.skipIf(!isHere).each(paths)(`%s${whyNot}`, { timeout: 120_000 }, async (path) => {
  const { folder, api } = await startUp(newData(), '--no-node')
  const { kubeconfig } = folder
  await answersTheSame(path, { api, kubeconfig, settled: () => Promise.resolve() })
})
