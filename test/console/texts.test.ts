/** Texts of the console: every language says the same things, and every text a page asks for is there. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import ts from 'typescript'

interface Texts {
  readonly [key: string]: string | Texts
}

const folder = fileURLToPath(new URL('../../../console/', import.meta.url))
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
const areas = files.flatMap((path) => {
  const [, place] = /^(shell|(?:modules|ui)\/[^/]+)\/locales\/en\.ts$/.exec(path) ?? []
  return place === undefined ? [] : [place]
})

t.test(
  'every area speaks English and Chinese, with the same texts and the same blanks',
  async (t) => {
    t.ok(areas.length > 2)
    for (const area of areas) {
      const [english, chinese] = await Promise.all([textsOf(area, 'en'), textsOf(area, 'zh')])
      t.strictSame([...chinese.keys()].sort(), [...english.keys()].sort(), area)
      for (const [key, text] of english) {
        t.strictSame(blanksOf(chinese.get(key) ?? ''), blanksOf(text), `${area}: ${key}`)
      }
    }
  },
)

t.test('every text that is asked for by its whole name is there', async (t) => {
  const known = new Set<string>()
  for (const area of areas) {
    for (const key of (await textsOf(area, 'en')).keys()) known.add(key)
  }
  const asked = files.filter((path) => /\.(?:vue|ts)$/.test(path)).flatMap(askedIn)
  t.ok(asked.length > 50)
  const missing = asked.filter(({ key }) => !known.has(key))
  t.strictSame(missing, [])
})

function askedIn(path: string): readonly { readonly path: string; readonly key: string }[] {
  const source = readFileSync(join(folder, path), 'utf8')
  const calls = source.matchAll(/\bt\(\s*'([\w-]+(?:\.[\w-]+)+)'/g)
  return [...calls].map(([, key]) => ({ path, key: key! }))
}

/** Flat, each key with the area's name before it. */
async function textsOf(area: string, locale: string): Promise<ReadonlyMap<string, string>> {
  const source = readFileSync(join(folder, area, 'locales', `${locale}.ts`), 'utf8')
  const compilerOptions = { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 }
  const { outputText } = ts.transpileModule(source, { compilerOptions })
  const address = `data:text/javascript;base64,${Buffer.from(outputText).toString('base64')}`
  const { default: texts } = (await import(address)) as { default: Texts }
  return new Map(flat(area.replace(/^(?:modules|ui)\//, ''), texts))
}

function flat(prefix: string, texts: Texts): (readonly [string, string])[] {
  return Object.entries(texts).flatMap(([key, value]) => {
    const name = `${prefix}.${key}`
    return typeof value === 'string' ? [[name, value] as const] : flat(name, value)
  })
}

function blanksOf(text: string): readonly string[] {
  return [...new Set(text.match(/\{\w+\}/g) ?? [])].sort()
}
