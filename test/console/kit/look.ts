/**
 * Looks at pages one after the other: nothing is cut off sideways, axe-core finds no serious fault, and a picture is
 * taken for people.
 */
import type { Page } from 'playwright-core'
import type { Test } from 'tap'
import { findings } from './axe.js'
import type { Console } from './browser.js'

export const publicPages = ['/', '/pricing', '/notice', '/about', '/nowhere'] as const
export const guestPages = ['/login', '/register', '/reset', ...publicPages] as const
export const phone = { width: 390, height: 844 } as const

export interface Way {
  /** Stands in the names of pictures. */
  readonly name: string
  readonly axe?: boolean
}

export async function look(
  t: Test,
  console: Console,
  paths: readonly string[],
  { name, axe = true }: Way,
): Promise<void> {
  const { page } = console
  for (const path of paths) {
    await console.open(path)
    await settled(page)
    await console.picture(`${path === '/' ? 'home' : path.slice(1).replaceAll('/', '-')}-${name}`)
    const wide = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
    t.ok(Number(wide) <= 0, `${path} ${name} is ${wide} pixels too wide`)
    if (axe) t.strictSame(await findings(page), [], `${path} ${name}`)
  }
}

/** Everything the menu leads to, for whoever is signed in. */
export async function menuOf({ open, page }: Console): Promise<readonly string[]> {
  await open('/dashboard')
  const links = page.locator('aside nav a[href]')
  const all = await links.evaluateAll((found) => found.map((link) => link.getAttribute('href')!))
  return [...new Set(all)]
}

/** Nothing waits for an answer any more. */
async function settled(page: Page): Promise<void> {
  const waiting = page.locator('.n-skeleton, .n-spin-body, .n-data-table-loading-wrapper')
  await waiting.first().waitFor({ state: 'detached' })
}
