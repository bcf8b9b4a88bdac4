import { X509Certificate } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newFolder } from '../../../test/build/newFolder.ts'
import { metricsCertificate } from './metricsCertificate.ts'

test('without a folder it is made once, for localhost', async () => {
  const certificate = metricsCertificate(undefined)
  const [one, again] = [await certificate(), await certificate()]
  expect(again).toBe(one)
  expect(new X509Certificate(one.cert).subjectAltName).toContain('DNS:localhost')
  expect(one.minVersion).toBe('TLSv1.2')
})

test('with a folder, what is there now counts', async () => {
  const folder = newFolder()
  const write = (text: string) => {
    for (const name of ['tls.crt', 'tls.key']) writeFileSync(join(folder, name), `${text} ${name}`)
  }
  const certificate = metricsCertificate(folder)
  await expect(certificate()).rejects.toThrow('tls.crt')
  for (const text of ['first', 'second']) {
    write(text)
    expect(await certificate()).toMatchObject({ cert: `${text} tls.crt`, key: `${text} tls.key` })
  }
})
