import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import t from 'tap'
import { capConnections } from '../../../kernel/http/connection-cap.js'

/** Two connections may be held; which addresses are trusted is the test's choice. */
async function setup(trusts: () => boolean) {
  const server = createServer().listen(0, '127.0.0.1')
  capConnections(server, trusts, 2)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const open: Socket[] = []
  const dial = async () => {
    const socket = connect(port, '127.0.0.1')
    open.push(socket)
    await once(socket, 'connect')
    return socket
  }
  const end = () => {
    for (const socket of open) socket.destroy()
    server.close()
  }
  return { server, dial, end }
}

t.test(
  'an address that holds its share is cut off, and takes part again when it let go (S14)',
  async (t) => {
    const { server, dial, end } = await setup(() => false)
    t.teardown(end)
    const accepted: Socket[] = []
    server.on('connection', (socket: Socket) => accepted.push(socket))
    /** Whether the server keeps the next one. It has cut off who is too many by the time that is reported. */
    const keeps = async () => {
      const pending = once(server, 'connection')
      await dial()
      const [socket] = (await pending) as [Socket]
      return !socket.destroyed
    }
    const letGo = async (socket: Socket) => {
      const gone = once(socket, 'close')
      socket.destroy()
      await gone
    }
    t.same([await keeps(), await keeps(), await keeps()], [true, true, false])
    const [one, other] = accepted
    await letGo(one!)
    t.same([await keeps(), await keeps()], [true, false], 'one place is free')
    await letGo(other!)
    await letGo(accepted[3]!)
    t.same([await keeps(), await keeps(), await keeps()], [true, true, false], 'and in the end all')
  },
)

t.test('a trusted proxy speaks for many and is not counted (S14)', async (t) => {
  const { server, dial, end } = await setup(() => true)
  t.teardown(end)
  const accepted: Socket[] = []
  server.on('connection', (socket) => accepted.push(socket))
  for (let dialled = 0; dialled < 4; dialled++) await dial()
  t.equal(accepted.filter(({ destroyed }) => !destroyed).length, 4)
})
