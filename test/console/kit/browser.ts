/**
 * A real browser on a real gateway: Debian's Chromium driven by playwright-core. Whatever a page writes to its console
 * as an error fails the test, and so does an answer the page did not expect.
 */
import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type Browser, type BrowserContext, chromium, type Page, selectors } from 'playwright-core'
import type { Test } from 'tap'
import { consolePages } from '../../../config/built-in.js'
import { startGateway, type TestGateway, type TestGatewayOptions } from '../../kit/gateway.js'
import { root } from '../../kit/management.js'

const debianPaths = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'] as const
const chromiumPath = process.env.CHROMIUM || debianPaths.find(existsSync) || debianPaths[0]

/** Why browser tests cannot run here; false: they can. Where everything must run, they fail instead. */
export const noBrowser: string | false =
  existsSync(chromiumPath) || process.env.CI || process.env.CHROMIUM
    ? false
    : `no Chromium at ${chromiumPath}: test/services.sh --browser installs one, CHROMIUM names another`

selectors.setTestIdAttribute('data-test')

/** Longest wait for anything on a page, milliseconds. */
const waitMs = 20_000

export interface Console {
  readonly gateway: TestGateway
  readonly page: Page
  readonly context: BrowserContext
  /** Errors of the page that the test expects, such as a refusal it provokes: by a part of their text. */
  expectError(part: string | RegExp): void
  /** Opens a page of the console and waits for its heading. */
  open(path: string): Promise<void>
  /** A picture of the page as it is, for people: into the folder SCREENSHOTS names, if any. */
  picture(name: string): Promise<void>
}

export interface ConsoleOptions extends TestGatewayOptions {
  /** False: nobody is signed in. Default: root is. */
  readonly signedIn?: boolean
  readonly theme?: 'light' | 'dark'
  readonly locale?: string
  /** A host name that leads to this machine, as if the gateway were elsewhere. */
  readonly host?: string
  readonly viewport?: { readonly width: number; readonly height: number }
}

/** A gateway with root and funds, and a browser on it. */
export async function openConsole(t: Test, options: ConsoleOptions = {}): Promise<Console> {
  hearComplaints(t)
  const gateway = await startGateway(t, { ...options, pages: consolePages })
  const browser = await launch(options.host)
  t.teardown(() => browser.close())
  return consoleOf(t, browser, gateway, options)
}

/** One more person at the same gateway, in a browser window of their own. */
export async function consoleOf(
  t: Test,
  browser: Browser,
  gateway: TestGateway,
  options: ConsoleOptions = {},
): Promise<Console> {
  const context = await browser.newContext({
    baseURL: gateway.url,
    locale: options.locale ?? 'en-US',
    colorScheme: options.theme ?? 'light',
    // What fades is faint for a moment, and found fault with.
    reducedMotion: 'reduce',
    viewport: options.viewport ?? { width: 1280, height: 860 },
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  t.teardown(() => context.close())
  context.setDefaultTimeout(waitMs)
  const page = await context.newPage()
  const expected: (string | RegExp)[] = []
  watch(page, expected)
  if (options.signedIn !== false) await signIn(context, gateway.url, root)
  return {
    gateway,
    page,
    context,
    expectError: (part) => void expected.push(part),
    async open(path) {
      await page.goto(path)
      await page.locator('h1').first().waitFor()
    },
    picture: (name) => picture(page, name),
  }
}

export function launch(host?: string): Promise<Browser> {
  return chromium.launch({
    executablePath: chromiumPath,
    args: [
      ...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'],
      // Windows share a process, and with it the pages' scripts as they were compiled: a tenth of the time.
      '--renderer-process-limit=1',
      ...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
      ...(host === undefined ? [] : [`--host-resolver-rules=MAP ${host} 127.0.0.1`]),
    ],
  })
}

/** Puts the session of an account into the browser, as its own login form would. */
export async function signIn(
  context: BrowserContext,
  url: string,
  person: { readonly username: string; readonly password: string },
): Promise<void> {
  const answer = await context.request.post(`${url}/api/user/login`, { data: person })
  if (!answer.ok()) throw new Error(`the login answered ${answer.status()}`)
}

/** What pages wrote since they were last queried, each with what its test expects. */
const complaints: (readonly [fault: string, expected: readonly (string | RegExp)[]])[] = []

/**
 * Fails the test for what its pages wrote. Called before anything is opened, so that it is queried after everything has
 * been closed: what throws in a teardown keeps the others from their turn.
 */
export function hearComplaints(t: Pick<Test, 'teardown'>): void {
  t.teardown(() => {
    const fits = (fault: string, expected: readonly (string | RegExp)[]) =>
      expected.some((part) => (typeof part === 'string' ? fault.includes(part) : part.test(fault)))
    const heard = complaints.splice(0).filter(([fault, expected]) => !fits(fault, expected))
    if (heard.length === 0) return
    throw new Error(`the page complained:\n${heard.map(([fault]) => fault).join('\n')}`)
  })
}

function watch(page: Page, expected: readonly (string | RegExp)[]): void {
  page.on('pageerror', (error) => complaints.push([`${error.name}: ${error.message}`, expected]))
  page.on('console', (message) => {
    if (message.type() !== 'error' && message.type() !== 'warning') return
    complaints.push([`${message.text()} ${message.location().url}`, expected])
  })
}

async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env.SCREENSHOTS
  if (!folder) return
  await mkdir(folder, { recursive: true })
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true })
}
