/** A connection that breaks after the gateway has done what it was queried, and before the page hears of it. */
import type { Route } from 'playwright-core'

export async function loseAnswer(route: Route): Promise<void> {
  await route.fetch()
  await route.abort()
}
