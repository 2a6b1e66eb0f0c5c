/** Responses of the gateway that a test changes on their way to the page. */
import type { Page, Route } from 'playwright-core'

/** `change` gets the body as JSON, and may write to it. */
export function alter(page: Page, url: string, change: (body: JsonBody) => void): Promise<unknown> {
  return page.route(url, async (route) => {
    const response = await route.fetch()
    const body = await response.json()
    change(body)
    await fulfilled(route, response, body)
  })
}

// biome-ignore lint/suspicious/noExplicitAny: the shape is that of the route, which the test knows.
type JsonBody = any

/** A route that is taken back meanwhile lets the requests through that were on their way. */
async function fulfilled(
  route: Route,
  response: Awaited<ReturnType<Route['fetch']>>,
  json: JsonBody,
): Promise<void> {
  await route.fulfill({ response, json }).catch((error) => {
    if (!String(error).includes('already handled')) throw error
  })
}
