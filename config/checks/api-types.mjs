/**
 * `npm run generate:api`: writes the types of what the management API takes and returns, of its schemas that have a name.
 * `npm run check` compares, and finds routes that do not declare what they return.
 */
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import openapiTS, { astToString } from 'openapi-typescript'
import { build } from './build.mjs'
import { projectRoot } from './sources.mjs'

const file = join(projectRoot, 'console/api/schema.ts')
const program = join(projectRoot, 'dist/config/checks/api-document.js')
const heading =
  '/** Types of the management API. Made by `npm run generate:api`; not to be edited. */\n'

/** Faults of the file and of the routes, and how many routes there are. */
export async function findApiFaults() {
  const { document, routes, undeclared } = await printed()
  const faults = undeclared.map((name) => `${name} does not declare what it returns`)
  if (readFileSync(file, 'utf8') !== (await typesOf(document))) {
    faults.push('console/api/schema.ts is out of date; npm run generate:api writes it')
  }
  return { faults, routes }
}

/** Throws an `Error` where the document cannot be made. */
async function printed() {
  await build()
  const { status, stdout, stderr } = spawnSync(process.execPath, [program], {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  })
  if (status !== 0) throw new Error(stderr)
  return JSON.parse(stdout)
}

async function typesOf({ openapi, info, components: { schemas } }) {
  const named = { openapi, info, paths: {}, components: { schemas } }
  const types = await openapiTS(named, { immutable: true, silent: true, emptyObjectsUnknown: true })
  // Paths and operations are empty here.
  return heading + astToString(types.filter(({ name }) => name?.text === 'components'))
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  writeFileSync(file, await typesOf((await printed()).document))
}
