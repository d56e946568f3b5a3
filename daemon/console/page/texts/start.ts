export const start = {
  title: "Welcome",
};
