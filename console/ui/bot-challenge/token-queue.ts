/** Requests that wait for a token of the challenge, first come, first served; one token serves one request. */
import { ref } from 'vue'

interface Waiter {
  readonly resolve: (token: string) => void
  readonly reject: (error: Error) => void
}

export class TokenQueue {
  readonly waiters = ref<readonly Waiter[]>([])
  private token: string | undefined

  next(): Promise<string> {
    return new Promise((resolve, reject) => {
      this.waiters.value = [...this.waiters.value, { resolve, reject }]
      this.give()
    })
  }

  put(token: string): void {
    this.token = token
    this.give()
  }

  drop(): void {
    this.token = undefined
  }

  /** Everyone who waits gets an error of their own. */
  refuse(error: () => Error): void {
    for (const { reject } of this.waiters.value) reject(error())
    this.waiters.value = []
  }

  private give(): void {
    const [first, ...others] = this.waiters.value
    if (this.token === undefined || first === undefined) return
    this.waiters.value = others
    first.resolve(this.token)
    this.token = undefined
  }
}
