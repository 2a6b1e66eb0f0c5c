/** Icons: images that plugins ship beside their manifests, and what becomes of files that are none. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import t, { type Test } from 'tap'
import { readPlugin } from '../../../kernel/registry/checked.js'
import { open } from '../../../kernel/registry/discovery.js'
import { manifestOf } from './plugins.js'

const svg = '<?xml version="1.0"?>\n<svg xmlns="http://www.w3.org/2000/svg"/>'
const png = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(20)])

async function read(t: Test, icon: string, bytes?: string | Buffer) {
  const folder = t.testdir({
    'manifest.json': JSON.stringify(manifestOf('notifier.acme', { icon })),
    images: {},
  })
  if (bytes !== undefined) writeFileSync(join(folder, icon), bytes)
  return readPlugin(await open(pathToFileURL(`${folder}/`)))
}

t.test('an SVG and a PNG become addresses that need no request', async (t) => {
  const drawn = await read(t, './icon.svg', svg)
  const address = `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`
  t.equal(drawn.manifest.icon, address)
  t.strictSame(drawn.warnings, [])
  const painted = await read(t, './images/icon.png', png)
  t.equal(painted.manifest.icon, `data:image/png;base64,${png.toString('base64')}`)
})

t.test('an image may have 16 KiB', async (t) => {
  const { manifest, warnings } = await read(t, './icon.svg', svg.padEnd(16_384))
  t.match(manifest.icon, /^data:image\/svg/)
  t.strictSame(warnings, [])
})

const wrong: Readonly<Record<string, readonly [bytes: string | undefined, reason: RegExp]>> = {
  'a file that is not there': [undefined, /there is no such file/],
  'a file that is too large': [svg.padEnd(16_385), /more than 16 KiB/],
  'a page': ['<html><script>alert(1)</script></html>', /neither SVG nor PNG/],
  'an empty file': ['', /neither SVG nor PNG/],
}

for (const [name, [bytes, reason]] of Object.entries(wrong)) {
  t.test(`a plugin works without its icon, and a sentence says why: ${name}`, async (t) => {
    const { manifest, warnings } = await read(t, './icon.svg', bytes)
    t.equal(manifest.icon, undefined)
    t.equal('icon' in manifest, false)
    t.equal(warnings.length, 1)
    t.match(warnings[0], reason)
    t.match(warnings[0], /^The icon \.\/icon\.svg is not shown: /)
  })
}

t.test('a folder is no icon', async (t) => {
  const folder = t.testdir({
    'manifest.json': JSON.stringify(manifestOf('notifier.acme', { icon: './icon.svg' })),
  })
  mkdirSync(join(folder, 'icon.svg'))
  const { warnings } = readPlugin(await open(pathToFileURL(`${folder}/`)))
  t.match(warnings, [/there is no such file/])
})

for (const icon of [
  '../icon.svg',
  '/etc/icon.svg',
  './a/../../icon.svg',
  'https://a.example/i.svg',
  './icon.gif',
  7,
]) {
  t.test(`a manifest names an SVG or PNG beside it, and not ${icon}`, async (t) => {
    await t.rejects(read(t, icon as string), { message: /"icon" (?:with value|must be)/ })
  })
}
