/**
 * Looks at pages one after the other: nothing is cut off sideways, axe-core finds no serious fault, and a picture is
 * taken for people.
 */
import type { Page } from 'playwright-core'
import type { Test } from 'tap'
import { findings } from './axe.js'
import type { Console } from './browser.js'
import { atRest } from './rest.js'

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
    await atRest(page)
    await console.picture(`${path === '/' ? 'home' : path.slice(1).replaceAll('/', '-')}-${name}`)
    const wide = await tooWide(page)
    t.equal(wide, 0, `${path} ${name} is ${wide} pixels too wide`)
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

/** By how many pixels the page is wider than its window, once it has found its shape in it. */
export async function tooWide(page: Page): Promise<number> {
  return Number(
    await page.evaluate(`new Promise((resolve) => {
    const until = performance.now() + ${shapeMs}
    const look = () => {
      const wide = Math.max(0, document.documentElement.scrollWidth - innerWidth)
      if (wide === 0 || performance.now() > until) resolve(wide)
      else requestAnimationFrame(look)
    }
    look()
  })`),
  )
}

const shapeMs = 5_000

/** Shows the page in a theme. Without rest its colours would be looked at half way between two. */
export async function inTheme(page: Page, theme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
  await page.locator(`html[data-theme=${theme}]`).waitFor()
  await page.evaluate(
    'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))',
  )
}
