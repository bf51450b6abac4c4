/**
 * The types of the platform that the API mentions. A project may be without the DOM's or `Disposable`, such as a server's, so
 * they are looked up, and have the parts that are needed where they are missing.
 */

type Global = typeof globalThis;

/** A DOM event. */
export type DomEvent = Global extends { readonly Event: { readonly prototype: infer E } }
  ? E
  : { readonly type: string; readonly timeStamp: number };

/** Something that has DOM events. */
export type DomTarget = Global extends { readonly EventTarget: { readonly prototype: infer T } }
  ? T
  : {
      addEventListener(type: string, listener: (event: DomEvent) => void): void;
      removeEventListener(type: string, listener: (event: DomEvent) => void): void;
    };

/** A compiled `WebAssembly.Module`. */
export type CompiledModule = Global extends { readonly WebAssembly: { readonly Module: { readonly prototype: infer M } } } ? M : never;

/** A `URL`. */
export interface Address {
  readonly href: string;
  readonly protocol: string;
}

/** What is needed of a `Response` of `fetch`. */
export interface Download {
  readonly ok: boolean;
  readonly status: number;
  readonly url: string;
  arrayBuffer(): Promise<ArrayBuffer>;
}

/** `Symbol.dispose`, where there is such a symbol. */
type DisposeKey = typeof Symbol extends { readonly dispose: infer D extends symbol } ? D : never;

/** Something for `using`, where there is such a statement. */
export type Owned = { readonly [key in DisposeKey]: () => void };
