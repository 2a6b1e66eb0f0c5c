/** `npm run vendors`: every dated fact is found, oldest first, and plugins of a vendor that name no source. */
import t from 'tap'
import { scratch } from './scratch.js'

const day = (daysAgo: number) =>
  new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 10)
const manifest = (baseUrl: string) => JSON.stringify({ channelTypes: [{ name: 'a', baseUrl }] })

const files = {
  'providers/acme/manifest.json': manifest('https://api.acme.example'),
  'providers/acme/facts.ts': `
const read = '${day(40)}'
export const facts = [
  { members: ['top_k'], source: 'acme.example/a', read },
  { members: ['seed'], source: 'acme.example/b', read: '${day(3)}' },
]
`,
  'providers/acme/README.md': `# Acme\n\nModels (acme.example/models, read ${day(100)}).\n\nSources, read in January 2026: acme.example/docs,\nand more.\n`,
  'test/fixtures/acme/one.exchange.json': `{"source": "acme.example/c", "read": "${day(2)}"}`,
  'providers/bare/manifest.json': manifest('https://api.bare.example'),
  'providers/bare/README.md': '# Bare\n',
  'providers/own/manifest.json': manifest(''),
}

t.test(
  'facts of tables and READMEs are listed by their age, and what has none is named',
  async (t) => {
    const { run } = scratch(t, files)
    const { status, output } = await run('vendors.mjs')
    t.equal(status, 0, output)
    const [first = '', second = '', third = '', fourth = '', fifth = ''] = output.split('\n')
    t.match(first, /^ *\d+ days +providers\/acme\/README\.md:5 +acme\.example\/docs, and more/)
    t.match(second, /^ *100 days +providers\/acme\/README\.md:3 +acme\.example\/models$/)
    t.match(third, /^ *40 days +providers\/acme\/facts\.ts:4 +acme\.example\/a$/)
    t.match(fourth, /^ *3 days +providers\/acme\/facts\.ts:5 +acme\.example\/b$/)
    t.match(fifth, /^ *2 days +test\/fixtures\/acme\/one\.exchange\.json +acme\.example\/c$/)
    t.match(output, /^Without a source: providers\/bare$/m)
  },
)
