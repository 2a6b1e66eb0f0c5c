/**
 * One budget for the bytes of bodies a process holds at once: what callers send, as it came and unfolded, and replies
 * that are read whole. Past a part of it the largest are refused first, so that small requests still get through while
 * somebody floods (F6). Bodies are held outside the heap of V8; what is built of their JSON, counted by a
 * measured weight (decision 0060), is held within it.
 */
import { totalmem } from 'node:os'
import { getHeapStatistics } from 'node:v8'
import type { ByteRoom } from '../contract/bytes.js'

/** Up to these bytes a body may use up to this share of the whole, in 1/8. */
const classes = [
  { bytesMax: 256 * 1024, eighths: 8 },
  { bytesMax: 4 * 1024 * 1024, eighths: 7 },
  { bytesMax: Number.POSITIVE_INFINITY, eighths: 6 },
] as const
/** What all bodies of one address, or of one user, may hold together, in 1/8; one body alone may always be larger. */
const holderEighths = 4

/** Where nothing is set: a quarter of what the process may use, by V8 and by its container, at least 64 MiB. */
export function defaultBudgetBytes(): number {
  const usable = Math.min(getHeapStatistics().heap_size_limit, containerBytes())
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

export class ByteBudget {
  private heldBytes = 0
  private readonly byAddress = new Map<string, number>()
  private readonly byUser = new Map<number, number>()

  constructor(readonly totalBytes: number) {}

  get held(): number {
    return this.heldBytes
  }

  /** Larger bodies are never taken, however little else is held. */
  get largestBytes(): number {
    return this.eighths(6)
  }

  /** A share that holds nothing yet. */
  share(holder: Holder = {}): ByteShare {
    return new ByteShare(this, holder)
  }

  /** For `ByteShare`: whether one that holds `from` bytes may hold `to`; counted where it may. */
  grow({ address, userId }: Holder, from: number, to: number): boolean {
    const { byAddress, byUser } = this
    const more = to - from
    if (this.heldBytes + more > this.bound(to)) return false
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

  /** For `ByteShare`: these bytes are held no more. */
  shrink({ address, userId }: Holder, bytes: number): void {
    this.heldBytes -= bytes
    if (address !== undefined) lower(this.byAddress, address, bytes)
    if (userId !== undefined) lower(this.byUser, userId, bytes)
  }

  private bound(bytes: number): number {
    for (const { bytesMax, eighths } of classes) {
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
    private readonly holder: Holder,
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
    this.keep(0)
  }
}

function lower<Name>(counts: Map<Name, number>, name: Name, by: number): void {
  const left = (counts.get(name) ?? 0) - by
  if (left <= 0) counts.delete(name)
  else counts.set(name, left)
}
