/** What others see of the first start: whether it is over, and the one way through it. */

export interface Setup {
  /** True once a root user exists; it stays true. */
  done(): boolean
  /** What proves access to this machine, by its log. Undefined once set up. */
  code(): string | undefined
  /** True for the code as printed, in either case. */
  isCode(text: string): boolean
  /** Makes the root user with a first balance, once, whoever races for it. Throws `setup_done`. */
  complete(root: FirstRoot): Promise<void>
}

export interface FirstRoot {
  readonly username: string
  readonly password: string
  /** Quota; 0: none. */
  readonly balance: number
}

declare module '../../../kernel/contract/service.js' {
  interface Services {
    setup: Setup
  }
}
