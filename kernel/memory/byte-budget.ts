/**
 * One budget for the bytes of bodies a process holds at once: what callers send, as it came and unfolded, and replies
 * that are read whole. Past a part of it the largest are refused first, so that small requests still get through while
 * somebody floods (F6). Bodies are held outside the heap of V8; what is built of their JSON, counted by a
 * measured weight (decision 0060), is held within it.
 */
import { totalmem } from 'node:os'
import { getHeapStatistics } from 'node:v8'
import type { ByteRoom } from '../contract/bytes.js'

interface SizeClass {
  readonly bytesMax: number
  readonly eighths: number
}

/** From here on a body is large: it gets no room before those that wait for some. */
const largeBytesMin = 4 * 1024 * 1024

/** Up to these bytes a body may use up to this share of the whole, in 1/8. */
const bySize: readonly SizeClass[] = [
  { bytesMax: 256 * 1024, eighths: 8 },
  { bytesMax: largeBytesMin, eighths: 7 },
  { bytesMax: Number.POSITIVE_INFINITY, eighths: 6 },
]
/** Bodies of any size may use all of it. */
export const wholeForAll: readonly SizeClass[] = [
  { bytesMax: Number.POSITIVE_INFINITY, eighths: 8 },
]
/** What all bodies of one address, or of one user, may hold together, in 1/8; one body alone may always be larger. */
const holderEighths = 4

/**
 * Where nothing is set: a quarter of what the process may use, by V8 and by its part of the container, at least 64 MiB.
 * @param processes that share the container
 */
export function defaultBudgetBytes(processes = 1): number {
  const usable = Math.min(getHeapStatistics().heap_size_limit, containerBytes() / processes)
  return Math.max(Math.floor(usable / 4), 64 * 1024 * 1024)
}

/** Memory of the container, or of the machine where no container bounds it. */
function containerBytes(): number {
  const constrained = process.constrainedMemory?.() ?? 0
  const whole = totalmem()
  return constrained > 0 && constrained < whole ? constrained : whole
}

/** Who holds bytes. A name that is absent is bounded by the whole alone. */
export interface Holder {
  readonly address?: string | undefined
  readonly userId?: number | undefined
}

/** Somebody who waits until it holds `to` bytes in place of `from`. */
interface Waiting {
  readonly from: number
  readonly to: number
  served(): void
}

export class ByteBudget {
  private heldBytes = 0
  private readonly byAddress = new Map<string, number>()
  private readonly byUser = new Map<number, number>()
  /** In the order they came. */
  private readonly waiting = new Map<ByteShare, Waiting>()
  /** Whether anybody waits: looked at by each request. */
  private someWait = false
  /** The first of them waits for room of the whole, and not for what its address or user may hold. */
  private short = false

  constructor(
    readonly totalBytes: number,
    private readonly classes: readonly SizeClass[] = bySize,
  ) {}

  get held(): number {
    return this.heldBytes
  }

  /** Larger bodies are never taken, however little else is held. */
  get largestBytes(): number {
    return this.bound(Number.POSITIVE_INFINITY)
  }

  /** A share that holds nothing yet. */
  share(holder: Holder = {}): ByteShare {
    return new ByteShare(this, holder)
  }

  /** For `ByteShare`: whether one that holds `from` bytes may hold `to`; counted where it may. */
  grow(holder: Holder, from: number, to: number): boolean {
    if (this.short && from === 0 && to > largeBytesMin) return false
    return this.take(holder, from, to)
  }

  /** For `ByteShare`: these bytes are held no more. */
  shrink({ address, userId }: Holder, bytes: number): void {
    this.heldBytes -= bytes
    if (address !== undefined) lower(this.byAddress, address, bytes)
    if (userId !== undefined) lower(this.byUser, userId, bytes)
    if (this.someWait) this.serve()
  }

  /** For `ByteShare`: it waits for its turn, behind those that do already. */
  queue(share: ByteShare, waiting: Waiting): void {
    this.waiting.set(share, waiting)
    this.someWait = true
    this.serve()
  }

  /** For `ByteShare`: it does not wait any more. */
  withdraw(share: ByteShare): void {
    if (this.someWait && this.waiting.delete(share)) this.serve()
  }

  /** First come, first served: who waits for what its own address or user may hold is passed by, and nobody else. */
  private serve(): void {
    this.short = false
    for (const [share, { from, to, served }] of this.waiting) {
      if (this.take(share.holder, from, to)) {
        this.waiting.delete(share)
        served()
      } else if (!this.hasRoom(from, to)) {
        this.short = true
        return
      }
    }
    this.someWait = this.waiting.size > 0
  }

  private hasRoom(from: number, to: number): boolean {
    return this.heldBytes + to - from <= this.bound(to)
  }

  private take({ address, userId }: Holder, from: number, to: number): boolean {
    if (!this.hasRoom(from, to)) return false
    const { byAddress, byUser } = this
    const more = to - from
    const ofAddress = address === undefined ? 0 : (byAddress.get(address) ?? 0)
    const ofUser = userId === undefined ? 0 : (byUser.get(userId) ?? 0)
    const most = this.eighths(holderEighths)
    if (ofAddress > from && ofAddress + more > most) return false
    if (ofUser > from && ofUser + more > most) return false
    this.heldBytes += more
    if (address !== undefined) byAddress.set(address, ofAddress + more)
    if (userId !== undefined) byUser.set(userId, ofUser + more)
    return true
  }

  private bound(bytes: number): number {
    for (const { bytesMax, eighths } of this.classes) {
      if (bytes <= bytesMax) return this.eighths(eighths)
    }
    return 0
  }

  private eighths(count: number): number {
    return Math.floor(this.totalBytes / 8) * count
  }
}

/** What one request holds of the budget. */
export class ByteShare implements ByteRoom {
  private bytes = 0
  private released = false

  constructor(
    private readonly budget: ByteBudget,
    readonly holder: Holder,
  ) {}

  get held(): number {
    return this.bytes
  }

  get largestBytes(): number {
    return this.budget.largestBytes
  }

  /** Holds at least so many bytes from now on. False, and nothing changed: there is no room for them. */
  reach(bytes: number): boolean {
    if (bytes <= this.bytes) return true
    if (this.released || !this.budget.grow(this.holder, this.bytes, bytes)) return false
    this.bytes = bytes
    return true
  }

  /**
   * Holds these bytes, and calls `held`, as soon as there is room for them and all that came before are served. Nothing
   * else is taken until then.
   */
  reachInTurn(bytes: number, held: () => void): void {
    if (this.released) return
    const served = () => {
      this.bytes = bytes
      held()
    }
    this.budget.queue(this, { from: this.bytes, to: bytes, served })
  }

  /** Waits for no turn any more. What is held stays. */
  withdraw(): void {
    this.budget.withdraw(this)
  }

  /** Holds so many bytes more. */
  add(bytes: number): boolean {
    return this.reach(this.bytes + bytes)
  }

  /** Gives back what is above these bytes. */
  keep(bytes: number): void {
    if (bytes >= this.bytes) return
    this.budget.shrink(this.holder, this.bytes - bytes)
    this.bytes = bytes
  }

  /** Gives everything back for good: who comes later, such as a chunk behind the end, gets nothing more. */
  release(): void {
    this.released = true
    this.withdraw()
    this.keep(0)
  }
}

function lower<Name>(counts: Map<Name, number>, name: Name, by: number): void {
  const left = (counts.get(name) ?? 0) - by
  if (left <= 0) counts.delete(name)
  else counts.set(name, left)
}
