/** Texts of the console: every language states the same things, and every text a page asks for is there. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import ts from 'typescript'
import { builtInRoots } from '../../config/built-in.js'
import type { Manifest } from '../../kernel/contract/manifest.js'

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

t.test(
  'every option and every group of options is reported in Chinese, and no option that is gone',
  async (t) => {
    const declared = builtInRoots
      .map((root) => fileURLToPath(root))
      .flatMap((root) =>
        readdirSync(root, { recursive: true, encoding: 'utf8' })
          .filter((path) => path.endsWith('manifest.json'))
          .flatMap((path) => settingsIn(join(root, path))),
      )
    t.ok(declared.length > 100)
    const [titles, helps] = await Promise.all(['titles', 'helps'].map(wordsOf))
    const explained = declared.filter(({ help }) => help !== undefined)
    const groups = await textsOf('modules/options', 'zh')
    const named = (plugin: string) => groups.has(`options.groups.${plugin.replace(/\W/g, '_')}`)
    t.strictSame([...new Set(declared.map(({ plugin }) => plugin).filter((id) => !named(id)))], [])
    t.strictSame(Object.keys(titles!).sort(), declared.map(({ key }) => key).sort())
    t.strictSame(Object.keys(helps!).sort(), explained.map(({ key }) => key).sort())
  },
)

t.test(
  'every text of a request, a channel, a user or a copy is translated by its plugin, and none that is gone',
  async (t) => {
    const manifests = builtInRoots
      .map((root) => fileURLToPath(root))
      .flatMap((root) =>
        readdirSync(root, { recursive: true, encoding: 'utf8' })
          .filter((path) => path.endsWith('manifest.json'))
          .map((path) => JSON.parse(readFileSync(join(root, path), 'utf8')) as Partial<Manifest>),
      )
    t.ok(manifests.length > 100)
    const words = readFileSync(join(folder, 'ui/rate-card/card-words.ts'), 'utf8')
    for (const { id = '', translations, units = [], dimensions = [], ...manifest } of manifests) {
      const { requestFields = [], channelSettings = [] } = manifest
      const { userSettings = [], instanceSettings = [] } = manifest
      const ofRequests = requestFields.flatMap((form) => form.fields)
      const fields = [...ofRequests, ...channelSettings, ...userSettings, ...instanceSettings]
      const texts = fields.flatMap(({ title, help }) =>
        help === undefined ? [title] : [title, help],
      )
      const { title = '', kind = '', channelTypes = [] } = manifest
      const names = [title, ...channelTypes.map((type) => type.title ?? title)]
      const translated = Object.keys(translations?.zh ?? {})
      const translatedTexts = translated.filter((text) => !names.includes(text))
      t.strictSame(translatedTexts.sort(), [...new Set(texts)].sort(), id)
      // What is called by the name of its vendor keeps it.
      if (plain.has(kind)) t.ok(translated.includes(title), `${id}: ${title}`)
      for (const name of [...units, ...dimensions])
        t.match(words, `\n  ${name}: `, `${id}: ${name}`)
    }
  },
)

t.test('every text that is requested by its whole name is there', async (t) => {
  const known = new Set<string>()
  for (const area of areas) {
    for (const key of (await textsOf(area, 'en')).keys()) known.add(key)
  }
  const requests = files.filter((path) => /\.(?:vue|ts)$/.test(path)).flatMap(textKeysIn)
  t.ok(requests.length > 50)
  const missing = requests.filter(({ key }) => !known.has(key))
  t.strictSame(missing, [])
})

/** Kinds whose plugins are called by what they do. */
const plain: ReadonlySet<string> = new Set(['management', 'operation', 'service', 'stage'])

function textKeysIn(path: string): readonly { readonly path: string; readonly key: string }[] {
  const source = readFileSync(join(folder, path), 'utf8')
  const calls = source.matchAll(/\bt\(\s*'([\w-]+(?:\.[\w-]+)+)'/g)
  return [...calls].map(([, key]) => ({ path, key: key! }))
}

/** Flat, each key with the area's name before it. */
async function textsOf(area: string, locale: string): Promise<ReadonlyMap<string, string>> {
  const texts = await exported<Texts>(join(area, 'locales', `${locale}.ts`))
  return new Map(flat(area.replace(/^(?:modules|ui)\//, ''), texts))
}

/** Titles and explanations of the gateway's own options, by key. */
function wordsOf(name: string): Promise<Readonly<Record<string, string>>> {
  return exported(join('modules/options/locales', `zh-${name}.ts`))
}

/** What a file of texts exports. */
async function exported<Exported>(path: string): Promise<Exported> {
  const source = readFileSync(join(folder, path), 'utf8')
  const compilerOptions = { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 }
  const { outputText } = ts.transpileModule(source, { compilerOptions })
  const address = `data:text/javascript;base64,${Buffer.from(outputText).toString('base64')}`
  return (await import(address)).default
}

interface Declared {
  readonly key: string
  readonly plugin: string
  readonly help?: string
}

function settingsIn(path: string): readonly Declared[] {
  const { id, settings = [] }: Pick<Manifest, 'id' | 'settings'> = JSON.parse(
    readFileSync(path, 'utf8'),
  )
  return settings.map(({ name, option, help }) => ({
    key: option ?? `${id}.${name}`,
    plugin: id,
    help,
  }))
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
