/** The live line of a page, which a test can cut and listen to. */
import type { Page, WebSocketRoute } from 'playwright-core'

export interface LiveLine {
  /** No socket of the page gets through while it is. */
  isCut: boolean
  /** Sockets that got through so far. */
  count: number
  /** Paths of the news that arrived, in their order. */
  readonly news: readonly string[]
  /** Ends what is open, as the gateway does when it stops. */
  cut(): Promise<void>
}

/** Called before the page is opened. */
export async function cuttable(page: Page): Promise<LiveLine> {
  const open = new Set<WebSocketRoute>()
  const news: string[] = []
  const line: LiveLine = {
    isCut: false,
    count: 0,
    news,
    async cut() {
      const closing = [...open].map((socket) =>
        socket.close({ code: 1001, reason: 'the gateway stops' }),
      )
      open.clear()
      await Promise.all(closing)
    },
  }
  await page.routeWebSocket('**/live', (socket) => {
    if (line.isCut) {
      void socket.close({ code: 1001 })
      return
    }
    line.count += 1
    open.add(socket)
    const gateway = socket.connectToServer()
    gateway.onMessage((message) => {
      const { heartbeat: _, ...rest } = JSON.parse(String(message))
      if (rest.type === 'pub') news.push(rest.path)
      // A page whose clock is moved forward would take its line for dead.
      socket.send(JSON.stringify(rest))
    })
  })
  return line
}
