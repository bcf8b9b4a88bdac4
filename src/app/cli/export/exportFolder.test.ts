// Which files does an export leave, and whose does it leave alone?
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newFolder } from '../../../../test/build/newFolder.ts'
import { ExportFolder } from './exportFolder.ts'

const object = (name: string, more: object = {}) => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name, namespace: 'shop', uid: 'u-1', resourceVersion: '7', managedFields: [{}] },
  ...more,
})
const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.yaml'))
    .sort()

test('one file for each object, in order of its fields, without what changes by itself', async () => {
  const folder = newFolder()
  const files = await ExportFolder.open(folder)
  await files.write('services', object('web', { spec: { type: 'LoadBalancer', ports: [] } }))
  expect(readFileSync(join(folder, 'services/shop/web.yaml'), 'utf8')).toBe(`apiVersion: v1
kind: Service
metadata:
  name: web
  namespace: shop
  uid: u-1
spec:
  ports: []
  type: LoadBalancer
`)
})

test('of a Node stays what is decided from', async () => {
  const folder = newFolder()
  const files = await ExportFolder.open(folder)
  const ready = { type: 'Ready', status: 'True', message: 'fine' }
  const status = {
    addresses: [{ type: 'InternalIP', address: '192.0.2.1' }],
    conditions: [{ ...ready, lastHeartbeatTime: '2026-01-01T00:00:00Z' }],
    images: [{}],
  }
  await files.write('nodes', { kind: 'Node', metadata: { name: 'one' }, status })
  const text = readFileSync(join(folder, 'nodes/one.yaml'), 'utf8')
  expect(text).toContain('192.0.2.1')
  expect(text).toContain('type: Ready')
  expect(text).not.toMatch(/images|Heartbeat/)
})

test('what is gone from the cluster goes from the next export', async () => {
  const folder = newFolder()
  const first = await ExportFolder.open(folder)
  for (const name of ['web', 'api']) await first.write('services', object(name))
  const second = await ExportFolder.open(folder)
  await second.write('services', object('web'))
  expect(await second.prune('services')).toBe(1)
  expect(await second.prune('nothing')).toBe(0)
  expect(filesIn(folder)).toEqual(['services/shop/web.yaml'])
})

test('a folder of somebody else is not touched', async () => {
  const folder = newFolder()
  writeFileSync(join(folder, 'notes.yaml'), 'mine: true\n')
  await expect(ExportFolder.open(folder)).rejects.toThrow(/not empty and no export/)
  expect(readdirSync(folder)).toEqual(['notes.yaml'])
})

test.each(['..', '../up', '.hidden', 'a/b'])('a name of %j stays in the folder', async (name) => {
  const folder = newFolder()
  const files = await ExportFolder.open(folder)
  await files.write('services', object(name))
  expect(filesIn(folder)).toHaveLength(1)
  expect(filesIn(folder)[0]).toMatch(/^services\/shop\/[^/]+\.yaml$/)
})
