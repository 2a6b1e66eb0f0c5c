/**
 * Every page a role can reach from its menu, and every public one: in light, in dark and on a phone. Nothing is cut off,
 * nothing is said in the browser's console, and axe-core finds no serious fault.
 */
import type { Page } from 'playwright-core'
import t, { type Test } from 'tap'
import { findings } from './kit/axe.js'
import { type Console, consoleOf, noBrowser, openConsole } from './kit/browser.js'
import { furnish } from './kit/furnish.js'

const publicPages = ['/', '/pricing', '/notice', '/about', '/nowhere']
const guestPages = ['/login', '/register', '/reset']
const phone = { width: 390, height: 844 }

t.test('every page behind the sign-in', { skip: noBrowser, timeout: 240_000 }, async (t) => {
  const light = await openConsole(t)
  await furnish(t, light.gateway)
  const browser = light.context.browser()!
  const dark = await consoleOf(t, browser, light.gateway, { theme: 'dark' })
  const small = await consoleOf(t, browser, light.gateway, { viewport: phone })
  await light.open('/dashboard')
  const paths = await menuOf(light.page)
  t.ok(paths.length > 10)
  for (const path of [...paths, ...publicPages]) {
    await look(t, light, path, 'light')
    await look(t, dark, path, 'dark')
    await look(t, small, path, 'phone', { axe: false })
  }
})

t.test('every page before the sign-in', { skip: noBrowser, timeout: 120_000 }, async (t) => {
  const light = await openConsole(t, { signedIn: false })
  const browser = light.context.browser()!
  const options = { signedIn: false } as const
  const dark = await consoleOf(t, browser, light.gateway, { ...options, theme: 'dark' })
  const small = await consoleOf(t, browser, light.gateway, { ...options, viewport: phone })
  for (const path of [...guestPages, ...publicPages]) {
    await look(t, light, path, 'guest-light')
    await look(t, dark, path, 'guest-dark')
    await look(t, small, path, 'guest-phone', { axe: false })
  }
})

async function look(
  t: Test,
  console: Console,
  path: string,
  way: string,
  { axe = true } = {},
): Promise<void> {
  const { page } = console
  console.expectError(/status of 401/)
  await console.open(path)
  await page.waitForLoadState('networkidle')
  const name = path === '/' ? 'home' : path.slice(1).replaceAll('/', '-')
  await console.picture(`${name}-${way}`)
  const wide = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
  t.ok(Number(wide) <= 0, `${path} ${way} is ${wide} pixels too wide`)
  if (axe) t.strictSame(await findings(page), [], `${path} ${way}`)
}

async function menuOf(page: Page): Promise<readonly string[]> {
  const links = page.locator('aside nav a[href]')
  const all = await links.evaluateAll((found) => found.map((link) => link.getAttribute('href')!))
  return [...new Set(all)]
}
