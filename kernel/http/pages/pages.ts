/**
 * The console: its built files, and its one page in place of every page address no route serves, since the console
 * finds its way in the browser. Files whose name holds their hash are kept for ever, the page is requested anew.
 */
import { hash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { constants, createBrotliCompress } from 'node:zlib'
import type { Request, ResponseObject, ResponseToolkit, Server } from '@hapi/hapi'
import inert from '@hapi/inert'
import { assetSecurityHeaders, imageSecurityHeaders } from '../security-headers.js'

declare module '@hapi/hapi' {
  interface RequestApplicationState {
    /** The answer carries the security headers it needs: it is a file and no page. */
    isFile?: true
  }
}

export interface PageFolder {
  readonly root: string
  /** Names of the files beside the page, such as `favicon.svg`. */
  readonly files: readonly string[]
}

/** Answers a request no route serves with the page; undefined: it requests no page. */
export type PageFallback = (
  request: Request,
  h: ResponseToolkit,
) => Promise<ResponseObject> | undefined

/** What was built there. Undefined: there is no page. */
export async function readPageFolder(folder: URL): Promise<PageFolder | undefined> {
  const root = fileURLToPath(folder)
  const entries = await readdir(root, { withFileTypes: true }).catch(() => [])
  const names = entries.filter((entry) => entry.isFile()).map(({ name }) => name)
  if (!names.includes(indexName)) return undefined
  return { root, files: names.filter((name) => name !== indexName && isServable(name)) }
}

const indexName = 'index.html'

/** Nothing hidden, nothing out of the folder, and no file that only is another one compressed. */
function isServable(name: string): boolean {
  return /^[\w~@-][\w.~@-]*$/.test(name) && !/\.(?:gz|br)$/.test(name)
}

/** To be called before the server starts. `paths`: those of every route, whose 404 is no page. */
export async function addPages(
  server: Server,
  { root, files }: PageFolder,
  paths: readonly string[],
): Promise<PageFallback> {
  await server.register(inert)
  // Without an encoder of its own the server would not see that a client takes the files compressed so.
  server.encoder('br', () => createBrotliCompress(quickBrotli))
  const reserved = [...ownPrefixes, ...paths.map(placeOf)]

  /** Where no route was reached the server compares no tags by itself. */
  async function page(h: ResponseToolkit): Promise<ResponseObject> {
    const bytes = await readFile(join(root, indexName))
    const etag = hash('sha1', bytes)
    const unchanged = h.entity({ etag, vary: true })
    const response =
      unchanged ?? h.response(bytes).type('text/html').etag(etag, { weak: false, vary: true })
    return response.header('Cache-Control', 'no-cache')
  }

  server.route({ method: 'GET', path: '/', handler: (_, h) => page(h) })
  server.route({
    method: 'GET',
    path: '/assets/{name}',
    handler(request, h) {
      const name = String(request.params.name)
      // A name that may not be is looked for where nothing is: it is answered like any that is not there.
      return file(request, h, isServable(name) ? join('assets', name) : nowhere, forEver)
    },
  })
  for (const name of files) {
    const path = `/${name}`
    server.route({
      method: 'GET',
      path,
      handler: (request, h) => file(request, h, name, forAnHour),
    })
  }

  function file(request: Request, h: ResponseToolkit, name: string, keep: string): ResponseObject {
    request.app.isFile = true
    const response = sent(h, root, name, keep)
    const headers = name.endsWith('.svg') ? imageSecurityHeaders : assetSecurityHeaders
    for (const header in headers) response.header(header, headers[header]!)
    return response
  }

  return (request, h) =>
    isPageRequest(request) && !isUnder(reserved, request.path) ? page(h) : undefined
}

function sent(h: ResponseToolkit, root: string, name: string, keep: string): ResponseObject {
  const lookupMap = { br: '.br', gzip: '.gz' }
  const options = { confine: root, lookupCompressed: true, lookupMap }
  return h.file(join(root, name), options).header('Cache-Control', keep)
}

/** No file can have this name, since it is none that is served. */
const nowhere = join('assets', '.nothing')
const forEver = 'public, max-age=31536000, immutable'
const forAnHour = 'public, max-age=3600'
const quickBrotli = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }

/** A browser that goes somewhere names HTML; a script that takes anything does not. */
function isPageRequest({ method, headers }: Request): boolean {
  const requested = method === 'get' || method === 'head'
  return requested && /(?:^|,)\s*text\/html\s*(?:[;,]|$)/i.test(String(headers.accept ?? ''))
}

/** Where no page of the console stands, whatever is served there. */
const ownPrefixes = [
  ...['/api', '/v1', '/v1beta', '/pg', '/mj', '/live', '/health', '/assets', '/metrics'],
  '/dashboard/billing',
]

/** Where a route stands: its path up to the first parameter, without the last name. */
function placeOf(path: string): string {
  const [plain = ''] = path.split('/{', 1)
  const end = plain.lastIndexOf('/')
  return end > 0 ? plain.slice(0, end) : plain
}

export function isUnder(prefixes: readonly string[], path: string): boolean {
  return prefixes.some((prefix) => path === prefix || path.startsWith(`${prefix}/`))
}
