/** What npm runs of others and of this project: no script of a dependency, and those that build what is packed. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import t from 'tap'

const read = (name: string) =>
  readFileSync(fileURLToPath(new URL(`../../../${name}`, import.meta.url)), 'utf8')

t.test('every dependency with a script for its installation is denied it by name', async (t) => {
  const { packages } = JSON.parse(read('package-lock.json'))
  const places = Object.entries<{ hasInstallScript?: true }>(packages)
  const names = places
    .filter(([, { hasInstallScript }]) => hasInstallScript)
    .map(([place]) => place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length))
  const { allowScripts } = JSON.parse(read('package.json'))
  t.strictSame(allowScripts, Object.fromEntries(names.map((name) => [name, false])))
})

t.test('npm pack and npm publish build what they pack', async (t) => {
  const { scripts } = JSON.parse(read('package.json'))
  t.match(scripts.prepack, /build\.mjs && .*sbom\.mjs/)
  t.notMatch(read('.npmrc'), /ignore-scripts/)
})
