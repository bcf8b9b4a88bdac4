// What is released? `make release` writes into release/: the npm package, the chart, the image for two
// processors, one manifest, what is inside the images, and checksums.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { emptied, sumsFile } from './emptied.ts'
import { writeImage } from './image.ts'
import { archive, run, sha256Of } from './run.ts'

const root = join(import.meta.dirname, '../..')
const { values } = parseArgs({
  options: {
    out: { type: 'string', default: join(root, 'release') },
    /** Left out, images and manifest need neither a network nor kubectl. */
    only: { type: 'string', default: 'package,chart,manifest,images' },
  },
})
const out = values.out
const isAsked = (part: string): boolean => values.only.split(',').includes(part)
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

function say(file: string): void {
  process.stdout.write(`${join(out, file)}\n`)
}

function writePackage(): void {
  const file = `berth-${version}.tgz`
  run(process.execPath, ['dist/main.js', 'man', 'dist/man'], root)
  run('npm', ['pack', '--ignore-scripts', '--pack-destination', out], root)
  say(file)
}

function writeChart(): void {
  const file = `berth-chart-${version}.tgz`
  const work = join(out, 'chart.tar')
  archive(work, join(root, 'deploy/helm'), ['berth'])
  run('gzip', ['--no-name', '--force', work])
  run('mv', [`${work}.gz`, join(out, file)])
  say(file)
}

function writeManifest(): void {
  const file = `berth-${version}.yaml`
  const kubectl = run('sh', ['test/kubectl/build.sh'], root).trim()
  const text = run(kubectl, ['kustomize', join(root, 'deploy/kustomize')])
  writeFileSync(join(out, file), text)
  say(file)
}

async function writeImages(): Promise<void> {
  for (const architecture of ['amd64', 'arm64'] as const) {
    const work = mkdtempSync(join(tmpdir(), 'berth-image-'))
    try {
      const file = `berth-${version}-${architecture}.tar`
      const sbom = await writeImage({ architecture, version, root, work }, join(out, file))
      writeFileSync(join(out, `berth-${version}-${architecture}.cdx.json`), sbom)
      say(file)
    } finally {
      rmSync(work, { recursive: true })
    }
  }
}

try {
  emptied(out)
  run(join(root, 'node_modules/.bin/tsc'), ['-b'], root)
  if (isAsked('package')) writePackage()
  if (isAsked('chart')) writeChart()
  if (isAsked('manifest')) writeManifest()
  if (isAsked('images')) await writeImages()
  const files = readdirSync(out)
    .filter((file) => file !== sumsFile)
    .sort()
  const sums = files.map((file) => `${sha256Of(join(out, file))}  ${file}\n`)
  writeFileSync(join(out, sumsFile), sums.join(''))
  say(sumsFile)
} catch (error) {
  process.stderr.write(`release: ${error instanceof Error ? error.message : error}\n`)
  process.exitCode = 1
}
