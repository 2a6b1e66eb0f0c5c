/**
 * What a browser fetches before somebody can sign in, and until the page behind it is drawn: how many requests, how many
 * bytes as they are sent, and how long that takes on a slow line.
 */
import { existsSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import t from 'tap'
import { consolePages } from '../../config/built-in.js'
import { root } from '../kit/management.js'
import { noBrowser, openConsole } from './kit/browser.js'
import { addHistory } from './usage-history.js'

const most = {
  login: { requests: 12, bytes: 200_000 },
  dashboard: { requests: 20, bytes: 350_000 },
}
/** 10 Mbit/s, and 150 ms to the gateway and back. */
const slowLine = { latency: 150, downloadThroughput: 1_250_000, uploadThroughput: 1_250_000 }
const headingMs = 1_500
/** The line is slow, and the machine may be busy: the best of these counts. */
const loads = 4

t.test('login and dashboard take few requests and few bytes', { skip: noBrowser }, async (t) => {
  const { gateway, page, open, expectError } = await openConsole(t, { signedIn: false })
  await addHistory(gateway)
  expectError(/401/)
  const fetched = fetchesOf(page)
  await open('/login')
  await page.waitForLoadState('networkidle')
  const login = fetched.sum()
  t.ok(login.bytes > 50_000, 'something was fetched')
  t.comment(`login: ${login.requests} requests, ${login.bytes} bytes`)
  t.ok(login.requests <= most.login.requests, fetched.list())
  t.ok(login.bytes <= most.login.bytes, fetched.list())

  await page.locator('input[name=username]').fill(root.username)
  await page.locator('input[name=password]').fill(root.password)
  await page.locator('button[type=submit]').click()
  await page.waitForURL('**/dashboard')
  await page.locator('[data-test=spend] [data-drawn=true]').waitFor()
  const dashboard = fetched.files()
  t.comment(
    `dashboard: ${dashboard.requests} files with those of the login, ${dashboard.bytes} bytes`,
  )
  t.ok(dashboard.requests <= most.dashboard.requests, fetched.list())
  t.ok(dashboard.bytes <= most.dashboard.bytes, fetched.list())
})

t.test('on a slow line the login has its heading in time', { skip: noBrowser }, async (t) => {
  const { page, open, expectError } = await openConsole(t, { signedIn: false })
  expectError(/401/)
  const line = await page.context().newCDPSession(page)
  await line.send('Network.enable')
  await line.send('Network.setCacheDisabled', { cacheDisabled: true })
  await line.send('Network.emulateNetworkConditions', { offline: false, ...slowLine })
  const times: number[] = []
  for (let load = 0; load < loads; load++) {
    await open('/login')
    times.push(await page.evaluate(() => performance.now()))
  }
  t.comment(`${times.map(Math.round).join(', ')} ms until the heading`)
  t.ok(Math.min(...times) <= headingMs)
})

/** What the page fetches of the gateway. */
function fetchesOf(page: Page) {
  const paths: string[] = []
  page.on('response', (response) => void paths.push(new URL(response.url()).pathname))
  const assets = () => [...new Set(paths)].filter((path) => path.startsWith('/assets/'))
  const bytes = () => assets().reduce((sum, path) => sum + sentBytes(path), 0)
  return {
    sum: () => ({ requests: paths.length, bytes: bytes() }),
    files: () => ({ requests: assets().length, bytes: bytes() }),
    list: () => paths.join(' '),
  }
}

function sentBytes(path: string): number {
  const file = fileURLToPath(new URL(`.${path}`, consolePages))
  return statSync(existsSync(`${file}.gz`) ? `${file}.gz` : file).size
}
