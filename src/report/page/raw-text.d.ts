/** A file as text, taken into the bundle when it is built. */
declare module '*?raw' {
  const text: string;
  export default text;
}
