/** The version of the package; the build replaces it (a test holds it to package.json). */
export const version = '0.1.0';
