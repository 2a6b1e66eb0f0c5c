/** Plugins that work, and each of whose functions goes wrong once it is told to: by a file that names the function and the way. */
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** How a function goes wrong. */
const ways = {
  throws: `throw new Error('boom')`,
  'throws nothing': 'throw undefined',
  rejects: `return Promise.reject(new Error('boom'))`,
  'returns a number': 'return 7',
  'returns a trap': `return new Proxy({}, { get() { throw new Error('boom') }, ownKeys() { throw new Error('boom') } })`,
  'returns a gibibyte': 'return { url: Buffer.alloc(2 ** 30), message: Buffer.alloc(2 ** 30) }',
  hangs: 'return new Promise(() => {})',
  loops: 'for (;;);',
} as const

export type Way = keyof typeof ways

const code = (id: string, troubles: string, calls: string) => `
import { appendFileSync, readFileSync } from 'node:fs'
import create from './index.js'

const id = ${JSON.stringify(id)}
const ways = { ${Object.entries(ways)
  .map(([name, body]) => `${JSON.stringify(name)}() { ${body} }`)
  .join(', ')} }

function infected(value, path) {
  if (typeof value === 'function') {
    return function (...given) {
      const way = JSON.parse(readFileSync(${JSON.stringify(troubles)}, 'utf8'))[id + ' ' + path]
      appendFileSync(${JSON.stringify(calls)}, id + ' ' + path + (way === undefined ? '' : ' ' + way) + '\\n')
      if (way !== undefined) return ways[way]()
      const result = value.apply(this, given)
      return typeof result?.push === 'function' ? infected(result, path) : result
    }
  }
  if (Array.isArray(value)) return value.map((one) => infected(one, path))
  if (typeof value !== 'object' || value === null) return value
  if (Buffer.isBuffer(value) || value instanceof Promise || value instanceof RegExp) return value
  const copy = Object.create(value)
  for (const name in value) Object.defineProperty(copy, name, { value: bound(value, name, path), enumerable: true })
  return copy
}

function bound(owner, name, path) {
  const value = owner[name]
  return infected(typeof value === 'function' ? value.bind(owner) : value, path === '' ? name : path + '.' + name)
}

export default (kit) => infected(create(kit), '')
`

export interface Infection {
  /** Functions that were called since the last look, as `payment.acme checkout`, with the way where it went wrong. */
  called(): ReadonlySet<string>
  /** From now on these functions go wrong; all others do what they should. */
  trouble(troubles: Readonly<Record<string, Way>>): void
}

/** Puts it into plugins that were built, by the folders of their manifests. `folder`: where its own files stand. */
export function infect(folder: string, plugins: readonly string[]): Infection {
  const troubles = join(folder, 'troubles.json')
  const calls = join(folder, 'calls.txt')
  // A plugin may read it at any time, so it is there as a whole.
  const trouble: Infection['trouble'] = (next) => {
    writeFileSync(`${troubles}.next`, JSON.stringify(next))
    renameSync(`${troubles}.next`, troubles)
  }
  writeFileSync(calls, '')
  trouble({})
  for (const place of plugins) {
    const manifest = JSON.parse(readFileSync(join(place, 'manifest.json'), 'utf8'))
    writeFileSync(
      join(place, 'manifest.json'),
      JSON.stringify({ ...manifest, entry: './infected.js' }),
    )
    writeFileSync(join(place, 'infected.js'), code(manifest.id, troubles, calls))
  }
  return {
    called() {
      const lines = readFileSync(calls, 'utf8').split('\n').filter(Boolean)
      writeFileSync(calls, '')
      return new Set(lines)
    },
    trouble,
  }
}
