/** What a browser fetches before somebody can sign in, and before the first page behind it is there. */
import { existsSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import t from 'tap'
import { consolePages } from '../../config/built-in.js'
import { root } from '../kit/management.js'
import { noBrowser, openConsole } from './kit/browser.js'

const bytesMax = 300_000

t.test('login and shell are at most 300 kB gzipped', { skip: noBrowser }, async (t) => {
  const { page, open, expectError } = await openConsole(t, { signedIn: false })
  expectError(/401/)
  const fetched = assetsOf(page)
  await open('/login')
  await page.waitForLoadState('networkidle')
  const login = bytesOf(fetched)
  t.ok(login > 50_000, 'something was fetched')
  t.ok(login <= bytesMax, `${login} bytes until the login`)
  t.comment(`${login} bytes gzipped until the login`)

  await page.locator('input[name=username]').fill(root.username)
  await page.locator('input[name=password]').fill(root.password)
  const before = new Set(fetched)
  await page.locator('button[type=submit]').click()
  await page.waitForURL('**/dashboard')
  await page.locator('h1').waitFor()
  const frame = [...fetched].filter((path) => /frame|menu/.test(path) || before.has(path))
  t.ok(bytesOf(new Set(frame)) <= bytesMax)
  t.comment(`${bytesOf(fetched)} bytes gzipped until the dashboard is drawn`)
})

/** Paths of what the page fetches of the console itself. */
function assetsOf(page: Page): Set<string> {
  const paths = new Set<string>()
  page.on('response', (response) => {
    const { pathname } = new URL(response.url())
    if (pathname.startsWith('/assets/')) paths.add(pathname)
  })
  return paths
}

function bytesOf(paths: ReadonlySet<string>): number {
  return [...paths].reduce((sum, path) => sum + compressedBytes(path), 0)
}

function compressedBytes(path: string): number {
  const file = fileURLToPath(new URL(`.${path}`, consolePages))
  return statSync(existsSync(`${file}.gz`) ? `${file}.gz` : file).size
}
