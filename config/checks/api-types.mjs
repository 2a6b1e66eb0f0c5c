/**
 * `npm run generate:api`: writes the types of what the management API takes and returns, of its schemas that have a name.
 * `npm run check` compares.
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

/** Throws an `Error` where the document cannot be made. */
async function generated() {
  await build()
  const { status, stdout, stderr } = spawnSync(process.execPath, [program], {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  })
  if (status !== 0) throw new Error(stderr)
  const { openapi, info, components } = JSON.parse(stdout)
  const document = { openapi, info, paths: {}, components: { schemas: components.schemas } }
  const types = await openapiTS(document, { immutable: true, silent: true })
  // Paths and operations are empty here.
  return heading + astToString(types.filter(({ name }) => name?.text === 'components'))
}

/** Whether the file is as it would be written now. */
export async function apiTypesAreFresh() {
  return readFileSync(file, 'utf8') === (await generated())
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  writeFileSync(file, await generated())
}
