"""The recurrent layers that training computes with are those of torch. Needs torch and a C compiler."""

import os
import shutil
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../../training"))

try:
    import torch
except ImportError:
    torch = None


@unittest.skipUnless(torch and shutil.which("cc"), "needs torch and cc")
class GruTests(unittest.TestCase):
    def test_values_and_gradients_are_those_of_torch(self):
        import gru
        torch.manual_seed(1)
        module = torch.nn.GRU(16, 24, 2, batch_first=True)
        inputs = torch.randn(3, 20, 16)
        wanted = torch.randn(3, 20, 24)

        def gradients(made):
            module.zero_grad()
            (made * wanted).sum().backward()
            return {name: value.grad.clone() for name, value in module.named_parameters()}

        plain, ours = module(inputs)[0], gru.run(module, inputs)
        self.assertLess((plain - ours).abs().max().item(), 0.02)
        true = gradients(plain)
        for name, found in gradients(ours).items():
            away = (found - true[name]).norm() / true[name].norm()
            self.assertLess(away.item(), 0.03, name)


if __name__ == "__main__":
    unittest.main()
